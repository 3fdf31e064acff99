/* SPDX-License-Identifier: MIT-0
 * Layer normalisation: y = (x - mean) / sqrt(variance + epsilon) * scale + bias over vectors; y may be x. Elements are made
 * in ascending order, each after the last use of its own x. */
#ifndef TARN_LAYERNORM_F32_H
#define TARN_LAYERNORM_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

/* `outer` vectors of `count` elements, x_pitch and y_pitch elements apart. scale_step, bias_step: 1, or 0 for one number. */
typedef struct {
    int32_t outer, count, x_pitch, y_pitch, scale_step, bias_step;
    tarn_acc_f32 epsilon;
} tarn_layernorm_f32_params;

/* scale, bias, mean and inverse may be null. mean and inverse: a number per vector, the inverse of the deviation. */
TARN_API void tarn_layernorm_f32(const tarn_layernorm_f32_params *p, const tarn_f32 *x, const tarn_f32 *scale,
                                 const tarn_f32 *bias, tarn_f32 *y, float *mean, float *inverse);

TARN_END_C
#endif
