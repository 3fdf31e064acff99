/* SPDX-License-Identifier: MIT-0
 * The sum of two int8 operands with scales of their own, requantised. */
#ifndef TARN_INT_ADD_S8_H
#define TARN_INT_ADD_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    int32_t outer, inner;               /* runs, and elements of a run */
    int32_t a_pitch, b_pitch, y_pitch;  /* elements from one run to the next */
    int32_t a_step, b_step;             /* 1, or 0: the same element for the whole run */
    tarn_requant_params requant;
    int32_t a_factor, b_factor, constant;    /* t = a * a_factor + b * b_factor + constant */
} tarn_int_add_s8_params;

/* y may be a or b. */
TARN_API void tarn_int_add_s8(const tarn_int_add_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y,
                          const int32_t *exceptions);

TARN_END_C
#endif
