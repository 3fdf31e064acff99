/* SPDX-License-Identifier: MIT-0
 * y = x / scale + zero point, rounded to 8-bit floating-point numbers (ONNX, QuantizeLinear). */
#ifndef TARN_QUANTIZE_F8E4M3FN_H
#define TARN_QUANTIZE_F8E4M3FN_H

#include "tarn_math_f8e4m3fn.h"
#include "tarn_quantize.h"

TARN_BEGIN_C

/* zero: of the type of y; NULL for 0. p->hi: not 0 where the type saturates. y may begin where x does. */
TARN_API void tarn_quantize_f8e4m3fn(const tarn_quantize_params *p, const float *x, const float *scale, const uint8_t *zero, uint8_t *y);

TARN_END_C
#endif
