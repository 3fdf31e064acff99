/* SPDX-License-Identifier: MIT-0 */
#include "tarn_averagepool_line_f32.h"
#include "tarn_math_avx2.h"

#if defined(TARN_MANY_F32)
/* Whole eights of channels of one pixel, `at` of whose columns lies under its first tap: the sums of the taps [tap0, tap1) of all rows,
 * divided by so many of `counted` rows, or of those that are there; how many channels. */
static int32_t averagepool_line_many_f32(const tarn_pool_line_params *p, const float *const *rows, int32_t at, int32_t tap0, int32_t tap1,
                                         int32_t padded, int32_t counted, float *y)
{
    const ptrdiff_t step = (ptrdiff_t)p->dilation * p->x_pitch;
    int32_t used = 0;
    int32_t row;
    int32_t c;
    for (row = 0; row < p->rows; ++row) {
        used += rows[row] != NULL;
    }
    used = (p->option != 0) ? counted : used;
    for (c = 0; c <= (p->channels - 8); c += 8) {
        __m256 sum = _mm256_setzero_ps();
        for (row = 0; row < p->rows; ++row) {
            if (rows[row] != NULL) {
                const float *x = rows[row] + ((at + ((ptrdiff_t)tap0 * p->dilation)) * p->x_pitch) + c;
                int32_t tap;
                for (tap = tap0; tap < tap1; ++tap) {
                    sum = _mm256_add_ps(sum, _mm256_loadu_ps(x));
                    x += step;
                }
            }
        }
        _mm256_storeu_ps(y + c, _mm256_div_ps(sum, _mm256_set1_ps((float)(used * padded))));
    }
    return c;
}
#endif

TARN_API void tarn_averagepool_line_f32(const tarn_pool_line_params *p, const tarn_f32 *const *rows, tarn_f32 *y, int32_t first,
                                   int32_t end, int32_t padded_rows)
{
    int32_t pixel;
    for (pixel = first; pixel < end; ++pixel) {
        const int32_t tap0 = tarn_pool_first_tap(p, pixel);
        const int32_t tap1 = tarn_pool_end_tap(p, pixel, p->in_pixels);
        const int32_t at = (pixel * p->stride) - p->pad;
        const int32_t padded = (p->option != 0) ? tarn_pool_end_tap(p, pixel, p->in_pixels + p->pad_end) : (tap1 - tap0);
#if defined(TARN_MANY_F32)
        const int32_t done = averagepool_line_many_f32(p, rows, at, tap0, tap1, padded, padded_rows, y + ((ptrdiff_t)pixel * p->y_pitch));
#else
        const int32_t done = 0;
#endif
        int32_t c;
        for (c = done; c < p->channels; ++c) {
            tarn_acc_f32 sum = 0;
            int32_t used = 0;
            int32_t row;
            for (row = 0; row < p->rows; ++row) {
                int32_t tap;
                if (rows[row] == NULL) {
                    continue;
                }
                for (tap = tap0; tap < tap1; ++tap) {
                    const tarn_acc_f32 v =
                        tarn_load_f32(rows[row][((at + (tap * p->dilation)) * p->x_pitch) + c]);
                    sum += v;
                }
            }
            if (p->option != 0) {
                used = padded_rows;
            } else {
                for (row = 0; row < p->rows; ++row) {
                    used += rows[row] != NULL;
                }
            }
            y[(pixel * p->y_pitch) + c] = tarn_store_f32(sum / (tarn_acc_f32)(used * padded));
        }
    }
}
