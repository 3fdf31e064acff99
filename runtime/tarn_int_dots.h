/* SPDX-License-Identifier: MIT-0
 * Sums of products of codes for four outputs, where processors have no products of several at a time. Weights stand as
 * [n/4][4 outputs][4 of n]; n > 0 is a multiple of 4. */
#ifndef TARN_INT_DOTS_H
#define TARN_INT_DOTS_H

#include "tarn.h"

TARN_BEGIN_C

/* One pixel: adds to four sums. */
TARN_API void tarn_int_dots(int32_t *sums, const int8_t *w, const int8_t *x, int32_t n);

/* Codes and weights as unsigned bytes: some processors load these faster. */
TARN_API void tarn_int_dots_unsigned(int32_t *sums, const uint8_t *w, const uint8_t *x, int32_t n);

/* Four pixels, x as [n][4 pixels]: sums as [4 pixels][4 outputs] begin as those of the first pixel. For processors with 28
 * registers. */
TARN_API void tarn_int_dots_four(int32_t *sums, const int8_t *w, const int8_t *x, int32_t n);

TARN_END_C
#endif
