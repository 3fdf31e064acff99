/* tarn_math_log_q55.h - the logarithm in fixed point that logf, log2f and the functions over log1p share. */
#ifndef TARN_MATH_LOG_Q55_H
#define TARN_MATH_LOG_Q55_H

#include "tarn_math_fixed.h"

/* sqrt(1/2) as a float, the first of the arguments of the polynomial, and how far it lies below 1 in Q32. */
#define TARN_ROOT_HALF_F32 0x3f3504f3u
#define TARN_LOG_FIRST_Q32 0x4afb0d00u

/* log(1 + f) / f in Q31 for f in Q32, two's complement, sqrt(1/2) - 1 <= f < sqrt(2) - 1. Minimax of degree 9 in
 * f - (sqrt(1/2) - 1), relative error 2^-27.8. */
TARN_INLINE uint32_t tarn_log1p_slope_q31(uint32_t f) {
  const uint32_t u = f + TARN_LOG_FIRST_Q32;
  uint32_t p = 0x09c15011u;
  p = 0x2a3b9f35u - tarn_mulhi_u32(p, u);
  p = 0x55c85639u - tarn_mulhi_u32(p, u);
  p = 0x712c72a9u - tarn_mulhi_u32(p, u);
  p = 0x73fc9701u - tarn_mulhi_u32(p, u);
  p = 0x6a295b6bu - tarn_mulhi_u32(p, u);
  p = 0x603c1a09u - tarn_mulhi_u32(p, u);
  p = 0x5c6f23fdu - tarn_mulhi_u32(p, u);
  p = 0x64ec841du - tarn_mulhi_u32(p, u);
  return 0x977598adu - tarn_mulhi_u32(p, u);
}

/* f * slope, slope in Q31, as Q55 in two's complement. */
TARN_INLINE uint64_t tarn_log_product_q55(uint32_t f, uint32_t slope) {
  if ((f >> 31) != 0u) {
    return (uint64_t)0 - (((uint64_t)(0u - f) * slope) >> 8);
  }
  return ((uint64_t)f * slope) >> 8;
}

/* e ln 2 + log(1 + f) as Q55 in two's complement; |e| < 256 in two's complement, f as above. */
TARN_INLINE uint64_t tarn_log_q55(uint32_t e, uint32_t f) {
  const uint64_t whole = (uint64_t)0x0058b90bfbe8e7bdu; /* ln 2 */
  const uint64_t product = tarn_log_product_q55(f, tarn_log1p_slope_q31(f));
  if ((e >> 31) != 0u) {
    return product - (0u - e) * whole;
  }
  return product + e * whole;
}

/* For a positive normal float given by its bits: returns f of the above, and the exponent e, as value = 2^e (1 + f). */
TARN_INLINE uint32_t tarn_log_split_f32(uint32_t bits, uint32_t* e) {
  const uint32_t shifted = bits + (TARN_F32_ONE - TARN_ROOT_HALF_F32);
  const uint32_t reduced = (shifted & 0x007fffffu) + TARN_ROOT_HALF_F32;
  *e = (shifted >> 23) - 127u;
  return reduced >= TARN_F32_ONE ? (reduced - TARN_F32_ONE) << 9 : 0u - ((TARN_F32_ONE - reduced) << 8);
}

/* The float nearest to v, Q55 in two's complement, 2^-31 < |v| < 256, or 0. */
TARN_INLINE float tarn_f32_round_q55(uint64_t v) {
  uint32_t sign = 0u;
  uint32_t shift;
  if (v == 0u) {
    return 0.0f;
  }
  if ((v >> 63) != 0u) {
    v = (uint64_t)0 - v;
    sign = TARN_F32_SIGN;
  }
  shift = tarn_clz_u64(v);
  return tarn_f32_round_normal(sign, 134u - shift, (uint32_t)((v << shift) >> 32));
}

#endif /* TARN_MATH_LOG_Q55_H */
