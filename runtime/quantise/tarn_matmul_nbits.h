/* SPDX-License-Identifier: MIT-0
 * Products of floats with weights of 2, 4 or 8 bits in blocks with a scale each (com.microsoft, MatMulNBits). */
#ifndef TARN_MATMUL_NBITS_H
#define TARN_MATMUL_NBITS_H

#include "tarn.h"

TARN_BEGIN_C

/* w: [n][blocks][block * bits / 8] bytes, codes packed with the low bits first; scale: [n][blocks]; zero: [n], rows of `blocks`
 * packed codes, each row filled up to whole bytes, or NULL for 2^(bits - 1); or, when zero_floats is 1, floats like the scale. */
typedef struct {
    int32_t m, n, k, block, bits, zero_floats;
} tarn_matmul_nbits_params;

/* y[m][n] = sum over k of x[m][k] * (w[n][k] - zero) * scale, + bias[n] if it is not NULL. y shares no memory with the others. */
TARN_API void tarn_matmul_nbits(const tarn_matmul_nbits_params *p, const float *x, const uint8_t *w, const float *scale,
                                const void *zero, const float *bias, float *y);

TARN_END_C
#endif
