/* SPDX-License-Identifier: MIT-0
 * int8 product of one vector with a matrix of weights, with requantisation. */
#ifndef TARN_INT_DENSE_S8_H
#define TARN_INT_DENSE_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t inputs, outputs;
} tarn_int_dense_s8_params;

/* w: [ceil(outputs/4)] blocks of tarn_int_dots.h, zero beyond inputs and outputs; q, exceptions as for tarn_int_conv2d_s8; w_zero:
 * NULL, or the zero points of the weights, which then are unsigned bytes. x is read until the last output is written. */
TARN_API void tarn_int_dense_s8(const tarn_int_dense_s8_params *p, const int8_t *x, const int8_t *w, const int32_t *q,
                                const int32_t *w_zero, const int32_t *exceptions, int8_t *y);

TARN_END_C
#endif
