/* SPDX-License-Identifier: MIT-0 */
#include "tarn_rmsnorm_f32.h"

#include "tarn_fn_sqrt_f32.h"

TARN_API void tarn_rmsnorm_f32(const tarn_rmsnorm_f32_params *p, const tarn_f32 *x, const tarn_f32 *scale, tarn_f32 *y,
                               float *inverse)
{
    tarn_f32 *y_at = y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        tarn_acc_f32 sum = 0;
        tarn_acc_f32 factor;
        int32_t i;
        for (i = 0; i < p->count; ++i) {
            const tarn_acc_f32 v = tarn_load_f32(x[i]);
            sum += v * v;
        }
        factor = (tarn_acc_f32)1 / tarn_fn_sqrt_f32((sum / (tarn_acc_f32)p->count) + p->epsilon);
        for (i = 0; i < p->count; ++i) {
            tarn_acc_f32 v = tarn_load_f32(x[i]) * factor;
            if (scale) {
                v *= tarn_load_f32(scale[(ptrdiff_t)i * p->scale_step]);
            }
            y_at[i] = tarn_store_f32(v);
        }
        if (inverse) {
            inverse[o] = (float)factor;
        }
        x += p->x_pitch;
        y_at += p->y_pitch;
    }
}
