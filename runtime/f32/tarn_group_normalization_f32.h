/* SPDX-License-Identifier: MIT-0
 * Normalisation of groups of channels over all pixels of an image, channels last: InstanceNormalization, with one channel
 * per group, GroupNormalization and MeanVarianceNormalization. */
#ifndef TARN_GROUP_NORMALIZATION_F32_H
#define TARN_GROUP_NORMALIZATION_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t images, pixels, channels;
    int32_t group;             /* channels per group */
    int32_t scales;            /* how many channels share a scale and a bias */
    int32_t outside;           /* epsilon is added to the deviation, not to the variance */
    int32_t x_pitch, y_pitch;  /* elements from one pixel to the next */
    tarn_acc_f32 epsilon;
} tarn_group_normalization_f32_params;

/* scale, bias: NULL for 1 and 0. factors: 2 * channels numbers of scratch. y may be x, or begin below it: each image is
 * read as a whole before the first of its pixels is written. */
TARN_API void tarn_group_normalization_f32(const tarn_group_normalization_f32_params *p, const tarn_f32 *x, const tarn_f32 *scale,
                                           const tarn_f32 *bias, tarn_acc_f32 *factors, tarn_f32 *y);

TARN_END_C
#endif
