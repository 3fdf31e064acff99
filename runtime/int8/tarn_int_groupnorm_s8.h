/* SPDX-License-Identifier: MIT-0
 * Normalisation of int8 codes to int8 codes by groups of channels over all pixels of an image, channels last, in integers:
 * InstanceNormalization, with one channel per group, and GroupNormalization. */
#ifndef TARN_INT_GROUPNORM_S8_H
#define TARN_INT_GROUPNORM_S8_H

#include "tarn_int_norm.h"

TARN_BEGIN_C

typedef struct {
    int32_t images, pixels, channels;
    int32_t group;              /* channels per group, which has fewer than 2^15 codes */
    int32_t x_pitch, y_pitch;   /* elements from one pixel to the next */
    tarn_int_norm_params norm;
} tarn_int_groupnorm_s8_params;

/* scale and bias by channel, as tarn_int_layernorm_s8() has them. lines: scratch, two for each channel. y may be x, or begin below
 * it: each image is read as a whole before the first of its pixels is written. */
TARN_API void tarn_int_groupnorm_s8(const tarn_int_groupnorm_s8_params *p, const int8_t *x, const int32_t *scale,
                                    const int32_t *bias, int32_t *lines, int8_t *y);

TARN_END_C
#endif
