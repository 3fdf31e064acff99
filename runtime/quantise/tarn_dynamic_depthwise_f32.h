/* SPDX-License-Identifier: MIT-0
 * tarn_dynamic_conv2d_f32 with one input and one output in each group. */
#ifndef TARN_DYNAMIC_DEPTHWISE_F32_H
#define TARN_DYNAMIC_DEPTHWISE_F32_H

#include "tarn_dynamic_depthwise_line_f32.h"

TARN_BEGIN_C

/* w: [ceil(groups/4)][rows * taps][4 channels]; w_zero: NULL, or the zero points of the channels. taps: room for rows * taps pointers, and
 * for `rows` more. */
TARN_API void tarn_dynamic_depthwise_f32(const tarn_dynamic_conv2d_f32_params *p, const int8_t *x, const int8_t *w,
                                         const int32_t *w_zero, const float *x_scale, const void *x_zero,
                                         const float *w_scale, const float *bias, float *y, const int8_t **taps);

TARN_END_C
#endif
