/* SPDX-License-Identifier: MIT-0
 * tarn_int_matmul_s8 for processors with the M-profile vector extension: three rows of a meet four columns of b at a time. Columns
 * are read where they lie: those whose codes lie side by side as they are, others gathered, short ones once for many rows. Sixteen
 * short ones are gathered for four rows at a time where the form has 16 bits behind the point. */
#ifndef TARN_INT_MATMUL_MVE_S8_H
#define TARN_INT_MATMUL_MVE_S8_H

#include "tarn_int_mve.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t batches, m, n, k;   /* n: at least 4 */
    int32_t a_batch, a_row;     /* elements from one to the next; a batch of 0: all the same */
    int32_t b_batch, b_row, b_column;   /* b_row: below 4096 */
    int32_t y_batch, y_row;
    int32_t a_zero, b_zero;
    int32_t factor, constant;   /* of the form */
} tarn_int_matmul_mve_s8_params;

/* As tarn_int_matmul_s8(); the form has no exceptions, and its mask is not 0. */
TARN_API void tarn_int_matmul_mve_s8(const tarn_int_matmul_mve_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y);

TARN_END_C
#endif
