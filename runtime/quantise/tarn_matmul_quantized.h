/* SPDX-License-Identifier: MIT-0
 * Matrix products of 8-bit codes to 8-bit codes (ONNX, QLinearMatMul; QGemm). */
#ifndef TARN_MATMUL_QUANTIZED_H
#define TARN_MATMUL_QUANTIZED_H

#include "tarn_matmul_integer.h"

TARN_BEGIN_C

/* y = round((sum + c) * (alpha * a_scale * b_scale / y_scale)) + y_zero, each step in float. Zero points: of the type of a, of b,
 * and of y; NULL for 0, and NULL for a c of 0. y shares no memory with the others. */
TARN_API void tarn_matmul_quantized(const tarn_matmul_integer_params *p, const void *a, const float *a_scale, const void *a_zero,
                             const void *b, const float *b_scale, const void *b_zero, const int32_t *c,
                             const float *y_scale, const void *y_zero, void *y);

TARN_END_C
#endif
