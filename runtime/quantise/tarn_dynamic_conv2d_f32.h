/* SPDX-License-Identifier: MIT-0
 * Convolution of int8 codes whose scale and zero point are made at run time; the result is floats. Channels last. */
#ifndef TARN_DYNAMIC_CONV2D_F32_H
#define TARN_DYNAMIC_CONV2D_F32_H

#include "tarn_dynamic_conv2d_line_f32.h"

TARN_BEGIN_C

/* w: [groups][ceil(outputs/4)] blocks of tarn_int_dots.h, zero beyond the last; w_sums: for each lane of these the sum of its weights
 * without their zero point; w_zero: NULL, or the zero points of the lanes; w_scale: one, or one per channel; x_scale: NULL for 1;
 * x_zero: one byte, NULL for 0; bias: NULL, or one per channel. scratch: length elements; lines: room for `rows` pointers. */
TARN_API void tarn_dynamic_conv2d_f32(const tarn_dynamic_conv2d_f32_params *p, const int8_t *x, const int8_t *w,
                                      const int32_t *w_sums, const int32_t *w_zero, const float *x_scale,
                                      const void *x_zero, const float *w_scale, const float *bias, float *y,
                                      int8_t *scratch, const int8_t **lines);

TARN_END_C
#endif
