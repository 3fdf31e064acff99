/* SPDX-License-Identifier: MIT-0
 * Matrix products of 8-bit codes to floats (MatMulIntegerToFloat; QGemm without a scale of y). */
#ifndef TARN_MATMUL_SCALED_H
#define TARN_MATMUL_SCALED_H

#include "tarn_matmul_integer.h"

TARN_BEGIN_C

/* y = (sum + c) * (alpha * a_scale * b_scale) + bias[n], each step in float. Zero points: of the type of a and of b; NULL for 0,
 * NULL for a c or bias of 0. y shares no memory with the others. */
TARN_API void tarn_matmul_scaled(const tarn_matmul_integer_params *p, const void *a, const float *a_scale, const void *a_zero,
                             const void *b, const float *b_scale, const void *b_zero, const int32_t *c,
                             const float *bias, float *y);

TARN_END_C
#endif
