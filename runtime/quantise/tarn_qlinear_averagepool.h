/* SPDX-License-Identifier: MIT-0
 * Averages of windows of 8-bit codes (com.microsoft, QLinearAveragePool, QLinearGlobalAveragePool). Up to three spatial axes. */
#ifndef TARN_QLINEAR_AVERAGEPOOL_H
#define TARN_QLINEAR_AVERAGEPOOL_H

#include "tarn.h"

TARN_BEGIN_C

/* channels_last: [images][in][channels], else [images][channels][in]. include_pad: padding counts as cells.
 * lo, hi: the range of the codes. */
typedef struct {
    int32_t images, channels, channels_last;
    int32_t in[3], out[3], kernel[3], stride[3], dilation[3], pad[3];
    int32_t include_pad, lo, hi;
} tarn_qlinear_averagepool_params;

/* Sums are made in float, and the result is round(average / y_scale + y_zero). y has its axes in the order
 * of those of x. Zero points: NULL for 0. y shares no memory with x. */
TARN_API void tarn_qlinear_averagepool(const tarn_qlinear_averagepool_params *p, const void *x, const float *x_scale,
                                       const void *x_zero, const float *y_scale, const void *y_zero, void *y);

TARN_END_C
#endif
