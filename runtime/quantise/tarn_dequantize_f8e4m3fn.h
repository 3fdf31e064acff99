/* SPDX-License-Identifier: MIT-0
 * y = (x - zero point) * scale, x of 8-bit floating-point numbers (ONNX, DequantizeLinear). */
#ifndef TARN_DEQUANTIZE_F8E4M3FN_H
#define TARN_DEQUANTIZE_F8E4M3FN_H

#include "tarn_math_f8e4m3fn.h"
#include "tarn_quantize.h"

TARN_BEGIN_C

/* zero: of the type of x; NULL for 0. y shares no memory with x. */
TARN_API void tarn_dequantize_f8e4m3fn(const tarn_quantize_params *p, const uint8_t *x, const float *scale, const uint8_t *zero, float *y);

TARN_END_C
#endif
