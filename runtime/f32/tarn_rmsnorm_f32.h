/* SPDX-License-Identifier: MIT-0
 * RMS normalisation: y = x / sqrt(mean of squares + epsilon) * scale over vectors; y may be x. Elements are made in ascending
 * order, each after the last use of its own x. */
#ifndef TARN_RMSNORM_F32_H
#define TARN_RMSNORM_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

/* `outer` vectors of `count` elements, x_pitch and y_pitch elements apart. scale_step: 1, or 0 for one number. */
typedef struct {
    int32_t outer, count, x_pitch, y_pitch, scale_step;
    tarn_acc_f32 epsilon;
} tarn_rmsnorm_f32_params;

/* scale and inverse may be null; inverse: 1 / sqrt(...) of each vector. */
TARN_API void tarn_rmsnorm_f32(const tarn_rmsnorm_f32_params *p, const tarn_f32 *x, const tarn_f32 *scale, tarn_f32 *y,
                               float *inverse);

TARN_END_C
#endif
