/* SPDX-License-Identifier: MIT-0
 * Convolution of 8-bit codes to 8-bit codes (ONNX, QLinearConv). */
#ifndef TARN_CONV_QUANTIZED_H
#define TARN_CONV_QUANTIZED_H

#include "tarn_conv_integer.h"

TARN_BEGIN_C

/* y = round((sum + b) * (x_scale * w_scale / y_scale)) + y_zero, each step in float. Zero points: of the type of x, of w, and
 * of y; NULL for 0. b: one per output channel, or NULL. y shares no memory with the others. */
TARN_API void tarn_conv_quantized(const tarn_conv_integer_params *p, const void *x, const float *x_scale, const void *x_zero,
                                  const void *w, const float *w_scale, const void *w_zero, const float *y_scale,
                                  const void *y_zero, const int32_t *b, void *y);

TARN_END_C
#endif
