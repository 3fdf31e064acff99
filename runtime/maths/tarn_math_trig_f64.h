/* tarn_math_trig_f64.h - what sin, cos and tan share: reduction to [-pi/4, pi/4] and the two polynomials there. */
#ifndef TARN_MATH_TRIG_F64_H
#define TARN_MATH_TRIG_F64_H

#include "tarn.h"

TARN_BEGIN_C
/* For the positive finite double x with these bits, 1/2 <= x: x = q pi/2 + r, |r| <= pi/4. Returns q mod 4, plus 4 when
 * r is negative; |r| = *m * 2^(*b-1085), 2^63 <= *m. */
TARN_API uint32_t tarn_trig_reduce_f64(uint64_t bits, uint32_t* b, uint64_t* m);

/* The sine of r = m * 2^(*b-1085), 0 < r <= pi/4, in the same form. */
TARN_API uint64_t tarn_sin_parts_f64(uint32_t* b, uint64_t m);

/* Its cosine in Q64, at most 2^64 - 1. */
TARN_API uint64_t tarn_cos_q64(uint32_t b, uint64_t m);
TARN_END_C

#endif /* TARN_MATH_TRIG_F64_H */
