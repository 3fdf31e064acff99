/* tarn_math_erfcf.c - 1 - erf(x) below 1/2, e^-x^2 w q(w) with w = 2 / (2 + x) above. */
#include "tarn_math_erfcf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_erfcf(float x) { return erfcf(x); }
#else
#include "tarn_math_erf_q31.h"
#include "tarn_math_recip_q32.h"

/* e^(x^2) erfc(x) / w in Q31 for w = 2 / (2 + x) in Q32, 1/2 <= x <= 10.1: minimax of degree 10, relative error
 * 2^-33.8. */
static uint32_t tarn_erfcx_slope_q31(uint32_t w) {
  uint32_t q = 0x0806b326u; /* two's complement */
  q = 0xd5ecfaa3u + tarn_mulhi_u32(q, w);
  q = 0x584f7b0bu + tarn_mulhi_su32(q, w);
  q = 0xa7f57c58u + tarn_mulhi_u32(q, w);
  q = 0x270f8277u + tarn_mulhi_su32(q, w);
  q = 0xedb7c147u + tarn_mulhi_su32(q, w);
  q = 0x0f5ac55eu + tarn_mulhi_su32(q, w);
  q = 0x15bf7480u + tarn_mulhi_su32(q, w);
  q = 0x1fb0357eu + tarn_mulhi_u32(q, w);
  q = 0x241a1597u + tarn_mulhi_u32(q, w);
  return 0x241bbaaau + tarn_mulhi_u32(q, w);
}

/* x^2 / ln 2 in Q32 for x = m * 2^(b-157), 125 <= b <= 129. */
static uint64_t tarn_square_scale_q32(uint32_t b, uint32_t m) {
  const uint64_t square = (uint64_t)m * m; /* of the mantissa, Q62; the low 16 bits are 0 */
  const uint32_t high = (uint32_t)(square >> 32);
  const uint32_t low = (uint32_t)square;
  /* 1 / ln 2 in Q63 is b8aa3b29 5c17f0bc */
  const uint64_t product =
      ((uint64_t)high * 0xb8aa3b29u) + tarn_mulhi_u32(high, 0x5c17f0bcu) + tarn_mulhi_u32(low, 0xb8aa3b29u); /* Q61 */
  return product >> (281u - (2u * b));
}

static float tarn_erfcf_tail(uint32_t b, uint32_t m) {
  uint32_t b_now = b;
  const uint64_t t = (uint64_t)0 - tarn_square_scale_q32(b_now, m);
  const uint32_t sum = 0x10000000u + (m >> (130u - b_now)); /* (2 + x) / 2 in Q28 */
  uint32_t shift = tarn_clz_u32(sum);
  const uint32_t recip = tarn_recip_q32(sum << shift); /* 1 / (sum << shift, Q31) in Q32 */
  const uint32_t w = recip >> (3u - shift);
  const uint32_t q = tarn_erfcx_slope_q31(w);
  uint32_t r = tarn_mulhi_u32(tarn_mulhi_u32(recip, q << 1), tarn_exp2_q31((uint32_t)t));
  b_now = (uint32_t)(t >> 32) + 126u - (3u - shift);
  shift = tarn_clz_u32(r);
  r <<= shift;
  return tarn_f32_round(0u, b_now - shift, r);
}

TARN_API float tarn_erfcf(float x) {
  const uint32_t sign = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  const uint32_t m = (bits << 8) | 0x80000000u;
  const uint32_t b = (bits >> 23) - 1u;
  uint32_t v;

  if (bits > TARN_F32_INF) {
    return tarn_f32_from_bits(TARN_F32_NAN);
  }
  if (bits < 0x32800000u) { /* 2^-26 */
    return 1.0f;
  }
  if ((sign == 0u) && (bits >= 0x3f000000u)) {
    if (bits >= 0x41210000u) { /* 10.0625: below half the least subnormal */
      return 0.0f;
    }
    return tarn_erfcf_tail(b, m);
  }
  if (bits < TARN_F32_ONE) {
    v = tarn_mulhi_u32(m, tarn_erf_slope_q31((bits < 0x39000000u) ? 0u : tarn_square_q32(b, m))) >> (125u - b); /* Q31 */
  } else {
    v = (bits >= 0x407ccccdu) ? 0x80000000u : (0x80000000u - tarn_erf_tail_q31(bits));
  }
  if (sign != 0u) {
    return tarn_f32_round_normal(0u, 126u, 0x80000000u + (v - (v >> 31)));
  }
  v = 0x80000000u - v;
  if (v < 0x40000000u) {
    return tarn_f32_round_normal(0u, 124u, v << 2);
  }
  return tarn_f32_round_normal(0u, 125u, v << 1);
}
#endif
