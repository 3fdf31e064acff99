/* SPDX-License-Identifier: MIT-0
 * Constants of a layer whose outputs differ in where they begin, and in multipliers that are short factors of one. */
#ifndef TARN_INT_SPREAD_FACTORS_H
#define TARN_INT_SPREAD_FACTORS_H

#include "tarn.h"

TARN_BEGIN_C

/* y: of `count` numbers as many at a time as there are lanes, then as many multipliers and as many times c. A number is, from its lowest
 * bit, seven bits of a mantissa behind its first, `depth_bits` that say by how many places it is less, and where the output begins. */
TARN_API void tarn_int_spread_factors(const int32_t *own, int32_t *y, int32_t count, int32_t lanes, int32_t m, int32_t c,
                                      int32_t depth_bits);

TARN_END_C
#endif
