/* tarn_math_recip_q32.h - a reciprocal from one 32-bit division and one Newton step. */
#ifndef TARN_MATH_RECIP_Q32_H
#define TARN_MATH_RECIP_Q32_H

#include "tarn_math_mulhi_u32.h"

/* 2^63 / d for d >= 2^31, at most 2^32 - 2; relative error below 2^-29. In fixed point: 1 / d in Q32 for d in Q31. */
TARN_INLINE uint32_t tarn_recip_q32(uint32_t d) {
  const uint32_t y = (0xffffffffu / (d >> 16)) << 15; /* relative error below 2^-15 */
  return tarn_mulhi_u32(y, 0u - tarn_mulhi_u32(d, y)) << 1;
}

#endif /* TARN_MATH_RECIP_Q32_H */
