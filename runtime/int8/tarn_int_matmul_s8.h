/* SPDX-License-Identifier: MIT-0
 * Products of two matrices of int8 codes that are both made at run time, requantised to int8. */
#ifndef TARN_INT_MATMUL_S8_H
#define TARN_INT_MATMUL_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t batches, m, n, k;
    int32_t a_batch, b_batch;   /* elements from one batch to the next, 0: all the same */
    int32_t a_zero, b_zero;
    int32_t factor, constant;   /* of the form */
} tarn_int_matmul_s8_params;

/* y[batches][m][n] from a[...][m][k] and b[...][k][n]; y shares no memory with them. exceptions: see tarn_requant.h. */
TARN_API void tarn_int_matmul_s8(const tarn_int_matmul_s8_params *p, const int8_t *a, const int8_t *b, const int32_t *exceptions,
                                 int8_t *y);

TARN_END_C
#endif
