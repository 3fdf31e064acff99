/* SPDX-License-Identifier: MIT-0 */
#include "tarn_batchnorm_training_f32.h"
#include "tarn_fn_sqrt_f32.h"

static tarn_acc_f32 batchnorm_training_average_f32(const tarn_batchnorm_f32_params *p, const tarn_f32 *x, tarn_acc_f32 from,
                                                   int32_t squares)
{
    tarn_acc_f32 sum = 0;
    int32_t pixel;
    for (pixel = 0; pixel < p->pixels; ++pixel) {
        const tarn_acc_f32 d = tarn_load_f32(x[(ptrdiff_t)pixel * p->x_pitch]) - from;
        sum += (squares != 0) ? (d * d) : d;
    }
    return sum / (tarn_acc_f32)p->pixels;
}

TARN_API void tarn_batchnorm_training_f32(const tarn_batchnorm_f32_params *p, const tarn_f32 *x, const tarn_f32 *scale,
                                          const tarn_f32 *bias, const tarn_f32 *mean, const tarn_f32 *variance, tarn_acc_f32 *factors,
                                          tarn_f32 *y, tarn_f32 *next_mean, tarn_f32 *next_variance)
{
    tarn_f32 *y_at = y;
    const tarn_acc_f32 rest = 1 - p->momentum;
    int32_t pixel;
    int32_t c;
    for (c = 0; c < p->channels; ++c) {
        const tarn_acc_f32 m = batchnorm_training_average_f32(p, x + c, 0, 0);
        const tarn_acc_f32 v = batchnorm_training_average_f32(p, x + c, m, 1);
        factors[(ptrdiff_t)2 * c] = m;
        factors[(2 * c) + 1] = tarn_load_f32(scale[c]) / tarn_fn_sqrt_f32(v + p->epsilon);
        if (next_mean != NULL) {
            next_mean[c] = tarn_store_f32(tarn_load_f32(mean[c]) * p->momentum + (m * rest));
        }
        if (next_variance != NULL) {
            next_variance[c] = tarn_store_f32(tarn_load_f32(variance[c]) * p->momentum + (v * rest));
        }
    }
    for (pixel = 0; pixel < p->pixels; ++pixel) {
        for (c = 0; c < p->channels; ++c) {
            const tarn_acc_f32 d = tarn_load_f32(x[c]) - factors[(ptrdiff_t)2 * c];
            y_at[c] = tarn_store_f32((d * factors[(2 * c) + 1]) + tarn_load_f32(bias[c]));
        }
        x += p->x_pitch;
        y_at += p->y_pitch;
    }
}
