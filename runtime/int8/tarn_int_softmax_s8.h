/* SPDX-License-Identifier: MIT-0
 * Softmax of int8 codes, through a table of exponentials: no floats. */
#ifndef TARN_INT_SOFTMAX_S8_H
#define TARN_INT_SOFTMAX_S8_H

#include "tarn.h"

TARN_BEGIN_C

/* Vectors as in tarn_softmax.h. */
typedef struct {
    int32_t outer, count, inner, x_pitch, y_pitch;
    int32_t half_step;  /* half of y's scale, times 2^32 */
    int32_t zero;       /* of y */
} tarn_int_softmax_s8_params;

/* table: 256 exponentials of -d times x's scale, as large as lets `count` of them and half a sum meet in 32 bits. Ties go to
 * the even quotient, before the zero point is added. y may stand where x stands. */
TARN_API void tarn_int_softmax_s8(const tarn_int_softmax_s8_params *p, const int8_t *x, const uint32_t *table, int8_t *y);

TARN_END_C
#endif
