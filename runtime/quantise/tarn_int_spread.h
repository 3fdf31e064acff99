/* SPDX-License-Identifier: MIT-0
 * Constants of a layer whose outputs differ in where they begin, and perhaps in their multipliers, only. */
#ifndef TARN_INT_SPREAD_H
#define TARN_INT_SPREAD_H

#include "tarn.h"

TARN_BEGIN_C

/* y: of `count` numbers as many at a time as there are lanes, and behind them as many times m and c; where m is 0, twice as many numbers
 * at a time and c. */
TARN_API void tarn_int_spread(const int32_t *own, int32_t *y, int32_t count, int32_t lanes, int32_t m, int32_t c);

TARN_END_C
#endif
