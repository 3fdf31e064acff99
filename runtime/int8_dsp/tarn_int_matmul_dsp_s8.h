/* SPDX-License-Identifier: MIT-0
 * tarn_int_matmul_s8 for processors with pairs of 16-bit products: three columns of b, less its zero point, are widened at a time
 * and meet two rows of a, which are read where they lie. Of few codes, columns in fours as many as there is room for on the stack, and
 * two rows at a time are widened. */
#ifndef TARN_INT_MATMUL_DSP_S8_H
#define TARN_INT_MATMUL_DSP_S8_H

#include "tarn_int_dsp.h"
#include "tarn_requant.h"

TARN_BEGIN_C

#define TARN_INT_MATMUL_DSP_SHORT 64 /* codes of a column that needs no scratch */

typedef struct {
    tarn_requant_params requant;
    int32_t batches, m, n, k;   /* n: at least 3 */
    int32_t a_batch, a_row;     /* elements from one to the next; a batch of 0: all the same */
    int32_t b_batch, b_row, b_column;
    int32_t y_batch, y_row;
    int32_t a_zero, b_zero;
    int32_t factor, constant;   /* of the form */
} tarn_int_matmul_dsp_s8_params;

/* As tarn_int_matmul_s8(); the form has no exceptions. columns: 3 * k 16-bit elements, NULL for k up to
 * TARN_INT_MATMUL_DSP_SHORT. */
TARN_API void tarn_int_matmul_dsp_s8(const tarn_int_matmul_dsp_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y, int32_t *columns);

TARN_END_C
#endif
