/* tarn_math_round_f64.h - a double from its parts. */
#ifndef TARN_MATH_ROUND_F64_H
#define TARN_MATH_ROUND_F64_H

#include "tarn.h"

TARN_BEGIN_C
/* The double nearest to m * 2^(b-1085), 2^63 <= m, negated when sign is not 0. Infinity above the range, subnormal
 * numbers and zero below it; negative b are two's complement. */
TARN_API double tarn_f64_round(uint32_t sign, uint32_t b, uint64_t m);
TARN_END_C

#endif /* TARN_MATH_ROUND_F64_H */
