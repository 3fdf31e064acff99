/* SPDX-License-Identifier: MIT-0
 * The larger or the smaller of two int8 operands of different scales: that of the codes that each would have in the result, as
 * rounding to codes keeps the order of numbers. */
#ifndef TARN_INT_CHOOSE_S8_H
#define TARN_INT_CHOOSE_S8_H

#include "tarn.h"

TARN_BEGIN_C

typedef struct {
    int32_t outer, inner;                   /* runs, and elements of a run */
    int32_t a_pitch, b_pitch, y_pitch;      /* elements from one run to the next */
    int32_t a_step, b_step;                 /* 1, or 0: the same element for the whole run */
    int32_t smaller;
} tarn_int_choose_s8_params;

/* a_codes, b_codes: what each code becomes, 256 of them, the first for -128. y may be a or b. */
TARN_API void tarn_int_choose_s8(const tarn_int_choose_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y,
                                 const int8_t *a_codes, const int8_t *b_codes);

TARN_END_C
#endif
