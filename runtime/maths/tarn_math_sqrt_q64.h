/* tarn_math_sqrt_q64.h - integer square root of 64 bits, to 64 bits. */
#ifndef TARN_MATH_SQRT_Q64_H
#define TARN_MATH_SQRT_Q64_H

#include "tarn.h"

TARN_BEGIN_C
/* 2^32 sqrt(v), 2^62 <= v, with an error below 8: the root in Q64 of v in Q64. */
TARN_API uint64_t tarn_sqrt_q64(uint64_t v);
TARN_END_C

#endif /* TARN_MATH_SQRT_Q64_H */
