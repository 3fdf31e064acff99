/* tarn_math_softplusf.c - max(x, 0) + log(1 + e^-|x|). */
#include "tarn_math_softplusf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_softplusf(float x) { return (x > 0.0f ? x : 0.0f) + log1pf(expf(-fabsf(x))); }
#else
#include "tarn_math_exp2_q31.h"
#include "tarn_math_log1p_parts.h"

TARN_API float tarn_softplusf(float x) {
  const uint32_t sign = tarn_f32_to_bits(x) >> 31;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint64_t t;
  uint32_t b;
  uint32_t m;
  uint32_t x_b;
  uint32_t x_m;

  if (bits > TARN_F32_INF) {
    return tarn_f32_from_bits(TARN_F32_NAN);
  }
  if (bits > 0x42cff1b5u) { /* 103.97...: e^-|x| is below half the least subnormal */
    return (sign != 0u) ? 0.0f : x;
  }
  if (bits < 0x33000000u) {
    return tarn_f32_from_bits(0x3f317218u); /* ln 2 */
  }
  t = (uint64_t)0 - tarn_exp_scale_f32(bits);
  b = (uint32_t)(t >> 32) + 126u;
  m = tarn_log1p_parts_f32(0u, &b, tarn_exp2_q31((uint32_t)t));
  if (sign != 0u) {
    return tarn_f32_round(0u, b, m);
  }
  /* Add x; the larger of the two keeps its place. */
  x_m = (bits << 8) | 0x80000000u;
  x_b = (bits >> 23) - 1u;
  if ((x_b - b) > 253u) { /* b > x_b */
    x_m = ((b - x_b) < 32u) ? (x_m >> (b - x_b)) : 0u;
  } else {
    m = ((x_b - b) < 32u) ? (m >> (x_b - b)) : 0u;
    b = x_b;
  }
  m += x_m;
  if (m < x_m) { /* a carry out of the top bit */
    m = (m >> 1) | 0x80000000u;
    b += 1u;
  }
  return tarn_f32_round_normal(0u, b, m);
}
#endif
