/* tarn_math_powf.c - x^y = 2^(y log2 x), the logarithm in 64 bits of fixed point with a small table. */
#include "tarn_math_powf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_powf(float x, float y) { return powf(x, y); }
#else
#include "tarn_math_exp2_q31.h"
#include "tarn_math_log_q54.h"

/* [sqrt(1/2), sqrt(2)) in 16 steps: c is near 1 / m in Q7, and 1 where m may be 1; then -log2(c) in Q55. */
static const uint8_t tarn_powf_reciprocal[16] = {177u, 170u, 163u, 157u, 151u, 146u, 141u, 136u,
                                                 132u, 128u, 120u, 113u, 107u, 102u, 97u,  93u};
static const uint64_t tarn_powf_log2[16] = {
    0xffc42580577b9367u, 0xffcb9913eb013f5fu, 0xffd35ce0373108b2u, 0xffda49de0764caa1u,
    0xffe17bf418b195b3u, 0xffe7b3d42fd0fc4du, 0xffee232e68aad485u, 0xfff4ce04829b7675u,
    0xfffa514b229c409eu, 0x0000000000000000u, 0x000beb024b67dda6u, 0x0017046031c79f85u,
    0x0021179c1b2bf470u, 0x0029edf7659d8b31u, 0x0033360e552d8d65u, 0x003afcd815786af2u};

/* log2(1 + r) in Q61, two's complement, for r in Q31, |r| < 0.0393: r (1 / ln 2 - r g(r)). Relative error 2^-37. */
static uint64_t tarn_powf_log2_near_1(uint32_t r) {
  const uint32_t negative = r >> 31;
  const uint32_t size = (negative != 0u) ? (0u - r) : r;
  const uint32_t w = (r + 0x08000000u) << 4; /* 8 r + 1/2 in Q32 */
  uint64_t slope;
  uint64_t product;
  uint32_t g = 0x0003db15u;
  g = 0x002cb38du - tarn_mulhi_u32(g, w);
  g = 0x01ae990cu - tarn_mulhi_u32(g, w);
  g = 0x10f28469u - tarn_mulhi_u32(g, w);
  g = 0xc0bd2fdbu - tarn_mulhi_u32(g, w);

  slope = ((uint64_t)size * g) >> 1; /* Q62 */
  slope = (negative != 0u) ? (0x5c551d94ae0bf85eu + slope) : (0x5c551d94ae0bf85eu - slope);
  product = ((uint64_t)size * (uint32_t)(slope >> 32)) + tarn_mulhi_u32(size, (uint32_t)slope);
  return (negative != 0u) ? ((uint64_t)0 - product) : product;
}

/* log2 of the positive finite float with these bits, in two's complement with *fraction bits after the point. */
static uint64_t tarn_powf_log2_of(uint32_t bits, uint32_t* fraction) {
  uint32_t bits_now = bits;
  uint32_t below = 0;
  uint32_t shifted;
  uint32_t step;
  uint32_t m;
  uint64_t whole;
  uint64_t rest;

  if (bits_now < 0x00800000u) {
    below = tarn_clz_u32(bits_now) - 8u;
    bits_now <<= below;
  }
  shifted = bits_now + (TARN_F32_ONE - TARN_ROOT_HALF_F32);
  step = (shifted >> 19) & 15u;
  m = (shifted & 0x007fffffu) + TARN_ROOT_HALF_F32;
  m = ((m & 0x007fffffu) | 0x00800000u) << (m >= TARN_F32_ONE ? 1u : 0u); /* Q24 */
  whole = ((uint64_t)((shifted >> 23) - 127u - below) << 55) + tarn_powf_log2[step];
  rest = tarn_powf_log2_near_1((m * tarn_powf_reciprocal[step]) - 0x80000000u);
  if (whole == 0u) { /* near 1, where the logarithm is small, all bits count */
    *fraction = 61u;
    return rest;
  }
  *fraction = 55u;
  if ((rest >> 63) != 0u) {
    return whole - (((uint64_t)0 - rest) >> 6);
  }
  return whole + (rest >> 6);
}

/* For the bits of |y|, finite and not 0: 0 when y is not an integer, 1 when it is odd, 2 when it is even. */
static uint32_t tarn_powf_integer(uint32_t bits) {
  uint32_t unit;
  if (bits < TARN_F32_ONE) {
    return 0;
  }
  if (bits >= 0x4b800000u) { /* 2^24 */
    return 2;
  }
  unit = (uint32_t)1 << (150u - (bits >> 23));
  if ((bits & (unit - 1u)) != 0u) {
    return 0;
  }
  return (((bits & 0x007fffffu) | 0x00800000u) & unit) ? 1 : 2;
}

/* x is 0 or infinite, or y is infinite; |x| is not 1, y is not 0 and neither is NaN. */
static float tarn_powf_exact(uint32_t sign, uint32_t x_bits, uint32_t y_negative) {
  return tarn_f32_from_bits(sign | (((x_bits > TARN_F32_ONE) == (y_negative != 0u)) ? 0u : TARN_F32_INF));
}

TARN_API float tarn_powf(float x, float y) {
  const uint32_t x_negative = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t x_bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t y_negative = tarn_f32_to_bits(y) & TARN_F32_SIGN;
  const uint32_t y_bits = tarn_f32_to_bits(y) & ~TARN_F32_SIGN;
  uint32_t sign = 0;
  uint32_t fraction;
  uint32_t shift;
  uint32_t y_b;
  uint32_t y_m;
  uint64_t t;

  if ((y_bits == 0u) || (x_bits == TARN_F32_ONE && (x_negative == 0u))) {
    return 1.0f;
  }
  if (x_bits > TARN_F32_INF || y_bits > TARN_F32_INF) {
    return tarn_f32_from_bits(TARN_F32_NAN);
  }
  if (y_bits == TARN_F32_INF) {
    return x_bits == TARN_F32_ONE ? 1.0f : tarn_powf_exact(0u, x_bits, y_negative);
  }
  if (x_negative != 0u) {
    const uint32_t integer = tarn_powf_integer(y_bits);
    if ((integer == 0u) && ((x_bits - 1u) < TARN_F32_INF - 1u)) {
      return tarn_f32_from_bits(TARN_F32_NAN);
    }
    sign = (integer == 1u) ? TARN_F32_SIGN : 0u;
  }
  if ((x_bits == 0u) || x_bits == TARN_F32_INF) {
    return tarn_powf_exact(sign, x_bits, y_negative);
  }
  if (x_bits == TARN_F32_ONE) {
    return tarn_f32_from_bits(sign | TARN_F32_ONE);
  }
  t = tarn_powf_log2_of(x_bits, &fraction);
  if ((t >> 63) != 0u) {
    t = (uint64_t)0 - t;
    y_negative ^= TARN_F32_SIGN;
  }
  shift = tarn_clz_u64(t);
  t <<= shift;
  y_m = tarn_f32_split(y_bits, &y_b);
  t = ((t >> 32) * y_m) + tarn_mulhi_u32((uint32_t)t, y_m);
  shift = 93u + fraction + shift - y_b; /* to Q32; negative in two's complement when the result overflows */
  if (shift >= 64u) {
    if (shift < 0x80000000u) {
      return tarn_f32_from_bits(sign | TARN_F32_ONE);
    }
    shift = 0;
  }
  if (shift < 22u) { /* |y log2 x| >= 256 */
    return tarn_f32_from_bits(sign | ((y_negative != 0u) ? 0u : TARN_F32_INF));
  }
  t >>= shift;
  if (y_negative != 0u) {
    t = (uint64_t)0 - t;
  }
  return tarn_f32_round(sign, (uint32_t)(t >> 32) + 126u, tarn_exp2_q31((uint32_t)t));
}
#endif
