/* tarn_math_log_q54.h - the polynomial of all float logarithms, and what logf and log2f share. */
#ifndef TARN_MATH_LOG_Q54_H
#define TARN_MATH_LOG_Q54_H

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

/* Is the float with these bits positive and finite? */
TARN_INLINE int32_t tarn_log_has_parts_f32(uint32_t bits) { return (bits - 1u) < TARN_F32_INF - 1u; }

/* The logarithm, to any base, of a float that is not: -inf of either zero, inf of inf, else NaN. */
TARN_INLINE float tarn_log_special_f32(uint32_t bits) {
  if ((bits & ~TARN_F32_SIGN) == 0u) {
    return tarn_f32_from_bits(TARN_F32_SIGN | TARN_F32_INF);
  }
  return tarn_f32_from_bits(bits == TARN_F32_INF ? TARN_F32_INF : TARN_F32_NAN);
}

/* For a positive finite float given by its bits, 2^e (1 + f): returns f in units of 2^-24, exact, and e. */
TARN_INLINE int32_t tarn_log_split_f32(uint32_t bits, int32_t* e) {
  const uint32_t below = (bits < 0x00800000u) ? (tarn_clz_u32(bits) - 8u) : 0u; /* subnormal: to the place of a leading one */
  const uint32_t shifted = (bits << below) + (TARN_F32_ONE - TARN_ROOT_HALF_F32);
  const int32_t f = (int32_t)((shifted & 0x007fffffu) + TARN_ROOT_HALF_F32) - (int32_t)TARN_F32_ONE;
  *e = (int32_t)(shifted >> 23) - 127 - (int32_t)below;
  return (f < 0) ? f : (2 * f);
}

/* The float nearest to v in Q54, 2^-30 < |v| < 256, or 0. */
TARN_INLINE float tarn_f32_round_q54(int64_t v) {
  const uint32_t sign = (v < 0) ? TARN_F32_SIGN : 0u;
  const uint64_t size = (v < 0) ? ((uint64_t)0 - (uint64_t)v) : (uint64_t)v;
  uint32_t shift;
  if (size == 0u) {
    return 0.0f;
  }
  shift = tarn_clz_u64(size);
  return tarn_f32_round_normal(sign, 135u - shift, (uint32_t)((size << shift) >> 32));
}

#endif /* TARN_MATH_LOG_Q54_H */
