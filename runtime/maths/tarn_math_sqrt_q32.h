/* tarn_math_sqrt_q32.h - integer square root of 32 bits, to 32 bits. */
#ifndef TARN_MATH_SQRT_Q32_H
#define TARN_MATH_SQRT_Q32_H

#include "tarn.h"

TARN_BEGIN_C
/* 2^16 sqrt(v), 2^30 <= v, with an error below 2: the root in Q32 of v in Q32. */
TARN_API uint32_t tarn_sqrt_q32(uint32_t v);
TARN_END_C

#endif /* TARN_MATH_SQRT_Q32_H */
