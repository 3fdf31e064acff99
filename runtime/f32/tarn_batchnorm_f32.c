/* SPDX-License-Identifier: MIT-0 */
#include "tarn_batchnorm_f32.h"
#include "tarn_fn_sqrt_f32.h"

TARN_API void tarn_batchnorm_f32(const tarn_batchnorm_f32_params *p, const tarn_f32 *x, const tarn_f32 *scale, const tarn_f32 *bias,
                                 const tarn_f32 *mean, const tarn_f32 *variance, tarn_acc_f32 *factors, tarn_f32 *y)
{
    tarn_f32 *y_at = y;
    int32_t pixel;
    int32_t c;
    for (c = 0; c < p->channels; ++c) {
        factors[c] = tarn_load_f32(scale[c]) / tarn_fn_sqrt_f32(tarn_load_f32(variance[c]) + p->epsilon);
    }
    for (pixel = 0; pixel < p->pixels; ++pixel) {
        for (c = 0; c < p->channels; ++c) {
            const tarn_acc_f32 d = tarn_load_f32(x[c]) - tarn_load_f32(mean[c]);
            y_at[c] = tarn_store_f32((d * factors[c]) + tarn_load_f32(bias[c]));
        }
        x += p->x_pitch;
        y_at += p->y_pitch;
    }
}
