/* SPDX-License-Identifier: MIT-0
 * tarn_int_matmul_s8 for processors with pairs of 16-bit products: the columns of b become the weights of a convolution of single
 * pixels, which the rows of a are. */
#ifndef TARN_INT_MATMUL_DSP_S8_H
#define TARN_INT_MATMUL_DSP_S8_H

#include "tarn_int_conv2d_dsp_run_s8.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t batches, m, n, k;
    int32_t a_batch, a_row;     /* elements from one to the next; a batch of 0: all the same */
    int32_t b_batch, b_row, b_column;
    int32_t y_batch, y_row;
    int32_t a_zero, b_zero;
    int32_t factor, constant;   /* of the form */
    int32_t columns;            /* of b that are packed at a time */
    int32_t length;             /* k and twice `sums`, each rounded up to a multiple of 4, all to one of 8 */
    int32_t sums;               /* pieces of a row's sum, which the zero point of b meets; see tarn_int_conv2d_dsp_run_s8.h */
} tarn_int_matmul_dsp_s8_params;

/* As tarn_int_matmul_s8(); the form has no exceptions. w: `length` codes for
 * each column and one more where these are odd; q: three numbers for each of them; patches: 3 * length 16-bit elements; bytes: length
 * codes, NULL when k is a multiple of 4. */
TARN_API void tarn_int_matmul_dsp_s8(const tarn_int_matmul_dsp_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y, int32_t *w,
                                     int32_t *q, int32_t *patches, int8_t *bytes);

TARN_END_C
#endif
