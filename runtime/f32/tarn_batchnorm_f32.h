/* SPDX-License-Identifier: MIT-0
 * Batch normalisation with statistics that are known only at run time, channels last. */
#ifndef TARN_BATCHNORM_F32_H
#define TARN_BATCHNORM_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t pixels, channels;  /* pixels of all images */
    int32_t x_pitch, y_pitch;  /* elements from one pixel to the next */
    tarn_acc_f32 epsilon, momentum;
} tarn_batchnorm_f32_params;

/* factors: `channels` numbers of scratch. y may be x, or begin below it. */
TARN_API void tarn_batchnorm_f32(const tarn_batchnorm_f32_params *p, const tarn_f32 *x, const tarn_f32 *scale, const tarn_f32 *bias,
                                 const tarn_f32 *mean, const tarn_f32 *variance, tarn_acc_f32 *factors, tarn_f32 *y);

TARN_END_C
#endif
