/* SPDX-License-Identifier: MIT-0 */
#include "tarn_maxpool_line_f32.h"

TARN_API void tarn_maxpool_line_f32(const tarn_pool_line_params *p, const tarn_f32 *const *rows, tarn_f32 *y, int32_t first,
                                   int32_t end)
{
    int32_t pixel;
    for (pixel = first; pixel < end; ++pixel) {
        const int32_t tap0 = tarn_pool_first_tap(p, pixel);
        const int32_t tap1 = tarn_pool_end_tap(p, pixel, p->in_pixels);
        const int32_t at = (pixel * p->stride) - p->pad;
        int32_t c;
        for (c = 0; c < p->channels; ++c) {
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
