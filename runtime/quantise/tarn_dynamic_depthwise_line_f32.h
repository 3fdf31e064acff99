/* SPDX-License-Identifier: MIT-0
 * tarn_dynamic_conv2d_line_f32 with one input and one output in each group. */
#ifndef TARN_DYNAMIC_DEPTHWISE_LINE_F32_H
#define TARN_DYNAMIC_DEPTHWISE_LINE_F32_H

#include "tarn_dynamic_core_f32.h"

TARN_BEGIN_C

/* taps: room for rows * taps pointers. */
TARN_API void tarn_dynamic_depthwise_line_f32(const tarn_dynamic_conv2d_f32_params *p, const int8_t *const *x,
                                              const int8_t *w, const int32_t *w_zero, const float *x_scale,
                                              const void *x_zero, const float *w_scale, const float *bias, float *y,
                                              int32_t first, int32_t end, const int8_t **taps);

TARN_END_C
#endif
