/* SPDX-License-Identifier: MIT-0 */
#include "tarn_lpnormalization_f32.h"

#include "tarn_fn_sqrt_f32.h"

TARN_API void tarn_lpnormalization_f32(const tarn_lpnormalization_f32_params *p, const tarn_f32 *x, tarn_f32 *y)
{
    tarn_f32 *y_at = y;
    const int32_t end = p->count * p->inner;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            tarn_acc_f32 norm = 0;
            int32_t k;
            for (k = i; k < end; k += p->inner) {
                const tarn_acc_f32 v = tarn_load_f32(x[k]);
                norm += (p->order == 2) ? (v * v) : (v < 0) ? -v : v;
            }
            norm = (p->order == 2) ? tarn_fn_sqrt_f32(norm) : norm;
            for (k = i; k < end; k += p->inner) {
                y_at[k] = (norm == 0) ? x[k] : tarn_store_f32(tarn_load_f32(x[k]) / norm);
            }
        }
        x += end;
        y_at += end;
    }
}
