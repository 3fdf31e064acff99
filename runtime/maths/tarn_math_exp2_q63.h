/* tarn_math_exp2_q63.h - the fractional power of two of the double functions. */
#ifndef TARN_MATH_EXP2_Q63_H
#define TARN_MATH_EXP2_Q63_H

#include "tarn_math_exp_parts_f64.h"
#include "tarn_math_mulhi_u64.h"

/* 2^f in Q63 for f in Q64: from 2^63 (exactly, for f = 0) to below 2^64. */
TARN_INLINE uint64_t tarn_exp2_q63(uint64_t f) {
  return 0x8000000000000000u + tarn_mulhi_u64(f, tarn_exp2_slope_q62(f) << 1);
}

#endif /* TARN_MATH_EXP2_Q63_H */
