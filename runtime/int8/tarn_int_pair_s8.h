/* SPDX-License-Identifier: MIT-0
 * Operators of two int8 operands as the model defines them (see tarn_int_own_s8.h), one element at a time. Sums and differences
 * are taken from a line of integers where it has been proved right. */
#ifndef TARN_INT_PAIR_S8_H
#define TARN_INT_PAIR_S8_H

#include "tarn_int_own_s8.h"

TARN_BEGIN_C

typedef struct {
    int32_t outer, inner;                   /* runs, and elements of a run */
    int32_t a_pitch, b_pitch, y_pitch;      /* elements from one run to the next */
    int32_t a_step, b_step;                 /* 1, or 0: the same element for the whole run */
    int32_t a_factor, b_factor, constant;   /* t = a * a_factor + b * b_factor + constant, */
    int32_t mask, post;                     /* and code = t >> post where t & mask is not 0 */
    tarn_int_own_s8_params own;
} tarn_int_pair_s8_params;

/* y may be a or b. */
TARN_API void tarn_int_pair_s8(const tarn_int_pair_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y);

TARN_END_C
#endif
