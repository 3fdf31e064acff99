/* SPDX-License-Identifier: MIT-0 */
#include "tarn_maxpool_line_f32.h"

#ifdef TARN_FOURS_F32
/* Four channels from c on. NaN wins, as it does in the reference. */
TARN_FORCE_INLINE void maxpool_four_f32(const tarn_pool_line_params *p, const tarn_f32 *const *rows, int32_t offset, int32_t taps,
                                        tarn_f32 *y)
{
    tarn_four_f32 best = {tarn_lowest_f32, tarn_lowest_f32, tarn_lowest_f32, tarn_lowest_f32};
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        int32_t tap;
        for (tap = 0; (rows[row] != NULL) && (tap < taps); ++tap) {
            const tarn_f32 *x = rows[row] + (offset + (tap * p->dilation * p->x_pitch));
            const tarn_four_f32 v = *(const tarn_four_packed_f32 *)(const void *)x;
            const tarn_four_mask_f32 taken = (v > best) | (v != v);
            best = (tarn_four_f32)(((tarn_four_mask_f32)v & taken) | ((tarn_four_mask_f32)best & ~taken));
        }
    }
    *(tarn_four_packed_f32 *)(void *)y = best;
}
#endif

TARN_API void tarn_maxpool_line_f32(const tarn_pool_line_params *p, const tarn_f32 *const *rows, tarn_f32 *y, int32_t first,
                                   int32_t end)
{
    int32_t pixel;
    for (pixel = first; pixel < end; ++pixel) {
        const int32_t tap0 = tarn_pool_first_tap(p, pixel);
        const int32_t tap1 = tarn_pool_end_tap(p, pixel, p->in_pixels);
        const int32_t at = (pixel * p->stride) - p->pad;
        int32_t c = 0;
#ifdef TARN_FOURS_F32
        /* A number that the compiler knows where it knows the channels. */
        const int32_t fours = p->channels - (p->channels % 4);
        for (; c < fours; c += 4) {
            maxpool_four_f32(p, rows, ((at + (tap0 * p->dilation)) * p->x_pitch) + c, tap1 - tap0, y + ((pixel * p->y_pitch) + c));
        }
        c = fours;
#endif
        for (; c < p->channels; ++c) {
            tarn_acc_f32 best = tarn_lowest_f32;
            int32_t row;
            for (row = 0; row < p->rows; ++row) {
                int32_t tap;
                if (rows[row] == NULL) {
                    continue;
                }
                for (tap = tap0; tap < tap1; ++tap) {
                    const tarn_acc_f32 v =
                        tarn_load_f32(rows[row][((at + (tap * p->dilation)) * p->x_pitch) + c]);
                    /* NaN wins, as it does in the reference. */
                    best = (v > best) || tarn_is_nan_f32(v) ? v : best;
                }
            }
            y[(pixel * p->y_pitch) + c] = tarn_store_f32(best);
        }
    }
}
