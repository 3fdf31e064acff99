/* SPDX-License-Identifier: MIT-0 */
#include "tarn_averagepool_line_f32.h"

TARN_API void tarn_averagepool_line_f32(const tarn_pool_line_params *p, const tarn_f32 *const *rows, tarn_f32 *y, int32_t first,
                                   int32_t end, int32_t padded_rows)
{
    int32_t pixel;
    for (pixel = first; pixel < end; ++pixel) {
        const int32_t tap0 = tarn_pool_first_tap(p, pixel);
        const int32_t tap1 = tarn_pool_end_tap(p, pixel, p->in_pixels);
        const int32_t at = (pixel * p->stride) - p->pad;
        const int32_t padded = (p->option != 0) ? tarn_pool_end_tap(p, pixel, p->in_pixels + p->pad_end) : (tap1 - tap0);
        int32_t c;
        for (c = 0; c < p->channels; ++c) {
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
