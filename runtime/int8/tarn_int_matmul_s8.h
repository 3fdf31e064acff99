/* SPDX-License-Identifier: MIT-0
 * Products of two matrices of int8 codes that are both made at run time, requantised to int8. */
#ifndef TARN_INT_MATMUL_S8_H
#define TARN_INT_MATMUL_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t batches, m, n, k;
    int32_t a_batch, a_row;     /* elements from one to the next; a batch of 0: all the same */
    int32_t b_batch, b_row, b_column;
    int32_t y_batch, y_row;
    int32_t a_zero, b_zero;
    int32_t factor, constant;   /* of the form */
} tarn_int_matmul_s8_params;

/* y[batches][m][n] from a[batches][m][k] and b[batches][k][n], whose last indices of a and y count single elements; y shares no memory with them. exceptions: see tarn_requant.h. */
TARN_API void tarn_int_matmul_s8(const tarn_int_matmul_s8_params *p, const int8_t *a, const int8_t *b, const int32_t *exceptions,
                                 int8_t *y);

TARN_END_C
#endif
