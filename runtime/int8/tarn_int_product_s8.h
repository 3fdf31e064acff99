/* SPDX-License-Identifier: MIT-0
 * Products and quotients of int8 operands: t = (a - a_zero) * factor + constant, code = t >> post, where the factor of a product is
 * (b - b_zero) * m, and that of a quotient stands in a table by b. That has been proved of all pairs of codes where t & mask is
 * not 0; the others are the operator's own, in floats (see tarn_int_own_s8.h). */
#ifndef TARN_INT_PRODUCT_S8_H
#define TARN_INT_PRODUCT_S8_H

#include "tarn_int_own_s8.h"

TARN_BEGIN_C

typedef struct {
    int32_t outer, inner;                   /* runs, and elements of a run */
    int32_t a_pitch, b_pitch, y_pitch;      /* elements from one run to the next */
    int32_t a_step, b_step;                 /* 1, or 0: the same element for the whole run */
    int32_t m, constant, mask, post;
    tarn_int_own_s8_params own;
} tarn_int_product_s8_params;

/* factors: of a quotient, 256 of them, the first for code -128, 0 where there is none; NULL for a product. y may be a or b. */
TARN_API void tarn_int_product_s8(const tarn_int_product_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y,
                                  const int32_t *factors);

TARN_END_C
#endif
