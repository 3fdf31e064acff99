/* SPDX-License-Identifier: MIT-0
 * Sums of products of 16-bit codes and 8-bit weights for four outputs. */
#ifndef TARN_WIDE_DOTS_H
#define TARN_WIDE_DOTS_H

#include "tarn.h"

TARN_BEGIN_C

/* Adds to sums[4]. w: [n/4][4 outputs][4 of n], aligned to 4; n > 0 is a multiple of 4; no sum leaves 32 bits, in whatever order it
 * is made. */
TARN_API void tarn_wide_dots(int32_t *sums, const int8_t *w, const int16_t *x, int32_t n);

TARN_END_C
#endif
