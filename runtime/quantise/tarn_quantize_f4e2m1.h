/* SPDX-License-Identifier: MIT-0
 * y = x / scale + zero point, rounded to 4-bit floating-point numbers, two in a byte (ONNX, QuantizeLinear). */
#ifndef TARN_QUANTIZE_F4E2M1_H
#define TARN_QUANTIZE_F4E2M1_H

#include "tarn_math_f4e2m1.h"
#include "tarn_quantize.h"

TARN_BEGIN_C

/* zero: of the type of y; NULL for 0. p->hi: not 0 where the type saturates. y may begin where x does. */
TARN_API void tarn_quantize_f4e2m1(const tarn_quantize_params *p, const float *x, const float *scale, const uint8_t *zero, uint8_t *y);

TARN_END_C
#endif
