/* SPDX-License-Identifier: MIT-0 */
#include "tarn_distances_f32.h"

TARN_API void tarn_distances_f32(const tarn_distances_f32_params *p, const tarn_f32 *x, const tarn_f32 *points,
                                 tarn_f32 *y)
{
    tarn_f32 *y_at = y;
    int32_t n;
    for (n = 0; n < p->examples; ++n) {
        const tarn_f32 *point = points;
        int32_t k;
        for (k = 0; k < p->points; ++k) {
            tarn_acc_f32 sum = 0;
            int32_t i;
            for (i = 0; i < p->size; ++i) {
                const tarn_acc_f32 d = tarn_load_f32(x[i]) - tarn_load_f32(point[i]);
                sum += d * d;
            }
            y_at[k] = tarn_store_f32(sum);
            point += p->size;
        }
        x += p->size;
        y_at += p->points;
    }
}
