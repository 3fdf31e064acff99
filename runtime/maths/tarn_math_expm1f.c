/* tarn_math_expm1f.c - x g(x) where e^x - 1 would cancel, the difference in fixed point elsewhere. */
#include "tarn_math_expm1f.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_expm1f(float x) { return expm1f(x); }
#else
#include "tarn_math_exp2_q31.h"

/* (e^x - 1) / x in Q31, for u = x + 1/2 in Q32: minimax of degree 6, relative error 2^-28.3. */
static uint32_t tarn_expm1_slope_q31(uint32_t u) {
  uint32_t g = 0x00068069u;
  g = 0x001a5c95u + tarn_mulhi_u32(g, u);
  g = 0x00b6ca9au + tarn_mulhi_u32(g, u);
  g = 0x03958c57u + tarn_mulhi_u32(g, u);
  g = 0x0ebbc67fu + tarn_mulhi_u32(g, u);
  g = 0x2e2f364au + tarn_mulhi_u32(g, u);
  return 0x64ba6822u + tarn_mulhi_u32(g, u);
}

TARN_API float tarn_expm1f(float x) {
  const uint32_t sign = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  const uint32_t m = (bits << 8) | 0x80000000u;
  uint32_t b = (bits >> 23) - 1u;
  uint32_t difference;
  uint32_t shift;

  if (bits < 0x33000000u) { /* 2^-25: the result rounds to x */
    return x;
  }
  if (bits > TARN_F32_INF) {
    return tarn_f32_from_bits(TARN_F32_NAN);
  }
  if (bits < 0x3f000000u) {
    const uint32_t t = m >> (125u - b);
    difference = tarn_mulhi_u32(m, tarn_expm1_slope_q31((sign != 0u) ? (0x80000000u - t) : (0x80000000u + t)));
    b += 1u;
  } else {
    uint64_t t;
    uint32_t n;
    if (bits >= ((sign != 0u) ? 0x41900000u : 0x43000000u)) { /* -18: the result rounds to -1; 128 */
      return (sign != 0u) ? -1.0f : tarn_f32_from_bits(TARN_F32_INF);
    }
    t = tarn_exp_scale_f32(bits);
    if (sign != 0u) {
      t = (uint64_t)0 - t;
    }
    n = (uint32_t)(t >> 32);
    difference = tarn_exp2_q31((uint32_t)t);
    if (sign != 0u) {
      difference = 0x80000000u - (difference >> (0u - n));
      b = 126u;
    } else {
      difference -= (n < 32u) ? (0x80000000u >> n) : 0u;
      b = 126u + n;
    }
  }
  shift = tarn_clz_u32(difference);
  return tarn_f32_round(sign, b - shift, difference << shift);
}
#endif
