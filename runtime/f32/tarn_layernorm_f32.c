/* SPDX-License-Identifier: MIT-0 */
#include "tarn_layernorm_f32.h"

#include "tarn_fn_sqrt_f32.h"
#include "tarn_norm_avx2.h"

static tarn_acc_f32 tarn_layernorm_f32_mean(const tarn_f32 *x, int32_t count)
{
    tarn_acc_f32 sum = 0;
#if defined(TARN_MANY_F32)
    sum = tarn_norm_avx2_sum(x, count);
#else
    int32_t i;
    for (i = 0; i < count; ++i) {
        sum += tarn_load_f32(x[i]);
    }
#endif
    return sum / (tarn_acc_f32)count;
}

static tarn_acc_f32 tarn_layernorm_f32_variance(const tarn_f32 *x, int32_t count, tarn_acc_f32 mean)
{
    tarn_acc_f32 sum = 0;
#if defined(TARN_MANY_F32)
    sum = tarn_norm_avx2_squares(x, count, mean);
#else
    int32_t i;
    for (i = 0; i < count; ++i) {
        const tarn_acc_f32 d = tarn_load_f32(x[i]) - mean;
        sum += d * d;
    }
#endif
    return sum / (tarn_acc_f32)count;
}

TARN_API void tarn_layernorm_f32(const tarn_layernorm_f32_params *p, const tarn_f32 *x, const tarn_f32 *scale,
                                 const tarn_f32 *bias, tarn_f32 *y, float *mean, float *inverse)
{
    tarn_f32 *y_at = y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        const tarn_acc_f32 middle = tarn_layernorm_f32_mean(x, p->count);
        const tarn_acc_f32 variance = tarn_layernorm_f32_variance(x, p->count, middle);
        const tarn_acc_f32 factor = (tarn_acc_f32)1 / tarn_fn_sqrt_f32(variance + p->epsilon);
        int32_t i = 0;
#if defined(TARN_MANY_F32)
        if (((scale == NULL) || (p->scale_step == 1)) && ((bias == NULL) || (p->bias_step == 1))) {
            tarn_norm_avx2_line(x, p->count, middle, factor, scale, bias, y_at);
            i = p->count;
        }
#endif
        for (; i < p->count; ++i) {
            tarn_acc_f32 v = (tarn_load_f32(x[i]) - middle) * factor;
            if (scale) {
                v *= tarn_load_f32(scale[(ptrdiff_t)i * p->scale_step]);
            }
            if (bias) {
                v += tarn_load_f32(bias[(ptrdiff_t)i * p->bias_step]);
            }
            y_at[i] = tarn_store_f32(v);
        }
        if (mean) {
            mean[o] = (float)middle;
        }
        if (inverse) {
            inverse[o] = (float)factor;
        }
        x += p->x_pitch;
        y_at += p->y_pitch;
    }
}
