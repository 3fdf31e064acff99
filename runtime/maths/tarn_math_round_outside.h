/* tarn_math_round_outside.h - a float from its parts, when its exponent is not one of a normal number. */
#ifndef TARN_MATH_ROUND_OUTSIDE_H
#define TARN_MATH_ROUND_OUTSIDE_H

#include "tarn.h"

TARN_BEGIN_C
/* The float nearest to m * 2^(b-157) with the sign bit given, 2^31 <= m, for b > 253 (infinity) or negative b in two's
 * complement (subnormal or zero). */
TARN_API float tarn_f32_round_outside(uint32_t sign, uint32_t b, uint32_t m);
TARN_END_C

#endif /* TARN_MATH_ROUND_OUTSIDE_H */
