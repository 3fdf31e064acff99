/* SPDX-License-Identifier: MIT-0
 * y = x / scale, rounded to nearest with ties to even, plus the zero point, saturated (ONNX, QuantizeLinear). */
#ifndef TARN_QUANTIZE_F32_H
#define TARN_QUANTIZE_F32_H

#include "tarn_types_f32.h"
#include "tarn_quantize.h"

TARN_BEGIN_C

/* zero: of the type of y; NULL for 0. y may begin where x does. */
TARN_API void tarn_quantize_f32(const tarn_quantize_params *p, const tarn_f32 *x, const float *scale, const void *zero, void *y);

TARN_END_C
#endif
