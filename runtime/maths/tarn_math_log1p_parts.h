/* tarn_math_log1p_parts.h - log(1 + u) for a number u that is not a float yet: the core of log1pf, softplusf and the
 * inverse hyperbolic functions. */
#ifndef TARN_MATH_LOG1P_PARTS_H
#define TARN_MATH_LOG1P_PARTS_H

#include "tarn.h"

TARN_BEGIN_C
/* u = m * 2^(*b-157), negated when sign is not 0; 2^31 <= m, -1 < u. The logarithm has u's sign; its parts are returned
 * the same way: mantissa, and *b. */
TARN_API uint32_t tarn_log1p_parts_f32(uint32_t sign, uint32_t* b, uint32_t m);
TARN_END_C

#endif /* TARN_MATH_LOG1P_PARTS_H */
