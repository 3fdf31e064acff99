/* tarn_math_recip_q64.h - a reciprocal in 64 bits. */
#ifndef TARN_MATH_RECIP_Q64_H
#define TARN_MATH_RECIP_Q64_H

#include "tarn.h"

TARN_BEGIN_C
/* 2^127 / d for d >= 2^63, at most 2^64 - 2; relative error below 2^-60. In fixed point: 1 / d in Q64 for d in Q63. */
TARN_API uint64_t tarn_recip_q64(uint64_t d);
TARN_END_C

#endif /* TARN_MATH_RECIP_Q64_H */
