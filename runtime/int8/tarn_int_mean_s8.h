/* SPDX-License-Identifier: MIT-0
 * Means of codes over whole images, channels last, as numbers. */
#ifndef TARN_INT_MEAN_S8_H
#define TARN_INT_MEAN_S8_H

#include "tarn.h"

TARN_BEGIN_C

typedef struct {
    int32_t images, pixels, channels;
    int32_t x_pitch, y_pitch;           /* elements from one pixel to the next; pixels follow each other */
    int32_t begin;                      /* of a sum: the zero point, `pixels` times taken away */
    float scale;                        /* of the codes, divided by `pixels` */
} tarn_int_mean_s8_params;

TARN_API void tarn_int_mean_s8(const tarn_int_mean_s8_params *p, const int8_t *x, float *y);

TARN_END_C
#endif
