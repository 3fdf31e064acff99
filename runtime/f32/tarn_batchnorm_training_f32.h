/* SPDX-License-Identifier: MIT-0
 * Batch normalisation with the statistics of the batch itself, channels last. */
#ifndef TARN_BATCHNORM_TRAINING_F32_H
#define TARN_BATCHNORM_TRAINING_F32_H

#include "tarn_batchnorm_f32.h"

TARN_BEGIN_C

/* next_mean, next_variance: the running ones moved towards the batch's by 1 - momentum; NULL: not wanted. factors: 2 *
 * channels numbers of scratch. y may be x, or begin below it. */
TARN_API void tarn_batchnorm_training_f32(const tarn_batchnorm_f32_params *p, const tarn_f32 *x, const tarn_f32 *scale,
                                          const tarn_f32 *bias, const tarn_f32 *mean, const tarn_f32 *variance, tarn_acc_f32 *factors,
                                          tarn_f32 *y, tarn_f32 *next_mean, tarn_f32 *next_variance);

TARN_END_C
#endif
