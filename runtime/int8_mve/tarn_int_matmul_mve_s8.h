/* SPDX-License-Identifier: MIT-0
 * tarn_int_matmul_s8 for processors with the M-profile vector extension: the columns of b are packed as weights, three rows of a
 * meet four of them at a time. */
#ifndef TARN_INT_MATMUL_MVE_S8_H
#define TARN_INT_MATMUL_MVE_S8_H

#include "tarn_int_mve.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t batches, m, n, k;
    int32_t a_batch, a_row;     /* elements from one to the next; a batch of 0: all the same */
    int32_t b_batch, b_row, b_column;
    int32_t y_batch, y_row;
    int32_t a_zero, b_zero;
    int32_t factor, constant;   /* of the form */
    int32_t columns;            /* of b that are packed at a time, a multiple of 4 */
} tarn_int_matmul_mve_s8_params;

/* As tarn_int_matmul_s8(); the form has no exceptions. w: k codes, rounded up
 * to a multiple of 16, for each of `columns`; q: four numbers for each of them. */
TARN_API void tarn_int_matmul_mve_s8(const tarn_int_matmul_mve_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y, int8_t *w,
                                     int32_t *q);

TARN_END_C
#endif
