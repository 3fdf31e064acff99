/* SPDX-License-Identifier: MIT-0 */
#include "tarn_argmin_f32.h"

TARN_API void tarn_argmin_f32(const tarn_argmax_params *p, const tarn_f32 *x, int64_t *y)
{
    int64_t *y_at = y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            tarn_acc_f32 best = tarn_load_f32(x[i]);
            int32_t at = 0;
            int32_t k;
            for (k = 1; (k < p->count) && !tarn_is_nan_f32(best); ++k) {
                const tarn_acc_f32 v = tarn_load_f32(x[(k * p->inner) + i]);
                if ((v < best) || ((p->last != 0) && (v == best)) || tarn_is_nan_f32(v)) {
                    best = v;
                    at = k;
                }
            }
            *y_at++ = at;
        }
        x += (ptrdiff_t)p->count * p->inner;
    }
}
