/* tarn_math_exp2_q31.h - the fractional power of two that expf, exp2f, sigmoidf, tanhf ... share. */
#ifndef TARN_MATH_EXP2_Q31_H
#define TARN_MATH_EXP2_Q31_H

#include "tarn_math_fixed.h"

/* 2^f in Q31 for f in Q32: from 2^31 (exactly, for f = 0) to below 2^32. Relative error below 2^-28.5.
 * 2^f = 1 + f q(f), q minimax of degree 5. */
TARN_INLINE uint32_t tarn_exp2_q31(uint32_t f) {
  uint32_t q = 0x00071506u;
  q = 0x0028dac8u + tarn_mulhi_u32(q, f);
  q = 0x013d0b94u + tarn_mulhi_u32(q, f);
  q = 0x071a2444u + tarn_mulhi_u32(q, f);
  q = 0x1ebfd57au + tarn_mulhi_u32(q, f);
  q = 0x58b90ad8u + tarn_mulhi_u32(q, f);
  return 0x80000000u + tarn_mulhi_u32(q, f);
}

/* |x| / ln 2 in Q32 for the float with these bits (no sign), 2^-34 < |x| < 2^31. */
TARN_INLINE uint64_t tarn_exp_scale_f32(uint32_t bits) {
  const uint64_t product = (uint64_t)((bits << 8) | 0x80000000u) * 0xb8aa3b29u; /* 1 / ln 2 in Q31 */
  const uint32_t shift = 157u - (bits >> 23);
  const uint32_t high = (uint32_t)(product >> 32);

  /* A 64-bit shift by a variable is a call or nine instructions on 32-bit cores. */
  if (shift >= 32u) {
    return high >> (shift - 32u);
  }
  return ((uint64_t)(high >> shift) << 32) | (((high << (31u - shift)) << 1) | ((uint32_t)product >> shift));
}

#endif /* TARN_MATH_EXP2_Q31_H */
