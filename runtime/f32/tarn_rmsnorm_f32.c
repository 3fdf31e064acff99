/* SPDX-License-Identifier: MIT-0 */
#include "tarn_rmsnorm_f32.h"

#include "tarn_fn_sqrt_f32.h"
#include "tarn_norm_avx2.h"

TARN_API void tarn_rmsnorm_f32(const tarn_rmsnorm_f32_params *p, const tarn_f32 *x, const tarn_f32 *scale, tarn_f32 *y,
                               float *inverse)
{
    tarn_f32 *y_at = y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        tarn_acc_f32 sum = 0;
        tarn_acc_f32 factor;
        int32_t i = 0;
#if defined(TARN_MANY_F32)
        sum = tarn_norm_avx2_squares(x, p->count, 0);
#else
        for (; i < p->count; ++i) {
            const tarn_acc_f32 v = tarn_load_f32(x[i]);
            sum += v * v;
        }
        i = 0;
#endif
        factor = (tarn_acc_f32)1 / tarn_fn_sqrt_f32((sum / (tarn_acc_f32)p->count) + p->epsilon);
#if defined(TARN_MANY_F32)
        if ((scale == NULL) || (p->scale_step == 1)) {
            tarn_norm_avx2_line(x, p->count, 0, factor, scale, NULL, y_at);
            i = p->count;
        }
#endif
        for (; i < p->count; ++i) {
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
