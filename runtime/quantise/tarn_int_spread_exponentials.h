/* SPDX-License-Identifier: MIT-0
 * A table of exponentials from few of them. */
#ifndef TARN_INT_SPREAD_EXPONENTIALS_H
#define TARN_INT_SPREAD_EXPONENTIALS_H

#include "tarn.h"

TARN_BEGIN_C

/* y: 256 numbers, each sixteenth one of the first 16 of own, those behind it that times one of the next 15, in units of 2^-32 and
 * rounded. The first 16 are at most 2^31. */
TARN_API void tarn_int_spread_exponentials(const uint32_t *own, uint32_t *y);

TARN_END_C
#endif
