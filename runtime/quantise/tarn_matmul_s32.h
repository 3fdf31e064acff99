/* SPDX-License-Identifier: MIT-0
 * Matrix products of whole numbers, in batches, either operand transposed; sums and products wrap. */
#ifndef TARN_MATMUL_S32_H
#define TARN_MATMUL_S32_H

#include "tarn_types_s32.h"

TARN_BEGIN_C

/* y[m][n] = alpha * sum over k of a[m][k] * b[k][n] + beta * c[m][n], for each index of the batch axes. Steps in elements;
 * y is dense and shares no memory with the others; c, the same for all batches, may be NULL. */
typedef struct {
    int32_t m, n, k;
    int32_t a_row, a_column, b_row, b_column;      /* steps of a along m and k, of b along k and n */
    int32_t rank, dims[6], a_batch[6], b_batch[6]; /* batch axes and the steps along them */
    int32_t c_row, c_column;
    int32_t alpha, beta;
} tarn_matmul_s32_params;

TARN_API void tarn_matmul_s32(const tarn_matmul_s32_params *p, const tarn_s32 *a, const tarn_s32 *b,
                              const tarn_s32 *c, tarn_s32 *y);

TARN_END_C
#endif
