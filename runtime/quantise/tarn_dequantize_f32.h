/* SPDX-License-Identifier: MIT-0
 * y = (x - zero point) * scale (ONNX, DequantizeLinear). */
#ifndef TARN_DEQUANTIZE_F32_H
#define TARN_DEQUANTIZE_F32_H

#include "tarn_types_f32.h"
#include "tarn_quantize.h"

TARN_BEGIN_C

/* zero: of the type of x; NULL for 0. y may share memory with x where element i of y ends before element i + 1 of x begins. */
TARN_API void tarn_dequantize_f32(const tarn_quantize_params *p, const void *x, const float *scale, const void *zero, tarn_f32 *y);

TARN_END_C
#endif
