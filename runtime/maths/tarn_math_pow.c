/* tarn_math_pow.c - x^y = 2^(y log2 x), the logarithm in 128 bits of fixed point with a small table. */
#include "tarn_math_pow.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_pow(double x, double y) { return pow(x, y); }
#else
#include "tarn_math_exp2_q63.h"
#include "tarn_math_fixed_f64.h"
#include "tarn_math_poly_q62.h"

/* [sqrt(1/2), sqrt(2)) in 16 steps: c is near 1 / m in Q7, and 1 where m may be 1; then -log2(c) in Q115. */
static const uint8_t tarn_pow_reciprocal[16] = {177u, 170u, 163u, 157u, 151u, 146u, 141u, 136u,
                                                132u, 128u, 120u, 113u, 107u, 102u, 97u,  93u};
static const uint64_t tarn_pow_log2[32] = {
    0xfffc42580577b936u, 0x76289cd3dd41df97u, 0xfffcb9913eb013f5u, 0xec5077e50d0c274au, 0xfffd35ce0373108bu,
    0x235bb0e246ec2cefu, 0xfffda49de0764caau, 0x121d90b84e721864u, 0xfffe17bf418b195bu, 0x338360c2ae2103c8u,
    0xfffe7b3d42fd0fc4u, 0xd022ddb71189c56bu, 0xfffee232e68aad48u, 0x4a15babcf87c69ebu, 0xffff4ce04829b767u,
    0x4c199d63ecf5dd45u, 0xffffa514b229c409u, 0xe33b27e43da520fcu, 0x0000000000000000u, 0x0000000000000000u,
    0x0000beb024b67ddau, 0x6339da288fc615a7u, 0x00017046031c79f8u, 0x4be19cb9577a5aeau, 0x00021179c1b2bf46u,
    0xfd8552203798e04cu, 0x00029edf7659d8b3u, 0x0f1c9d0b5ca5a8e8u, 0x00033360e552d8d6u, 0x4de51b7e816f77f8u,
    0x0003afcd815786afu, 0x187a96b573a7ed6au};

/* (1 / ln 2 - log2(1 + r) / r) / r in 8 r + 1/2, |r| < 0.0393: minimax of degree 10, error of log2 2^-70. */
static const uint64_t tarn_pow_curve[11] = {0x302f4c690e137633u, 0xfbc358ef91d1bc22u, 0x006bc3ebd16ae04du,
                                            0xfff48de9bbdc5eb3u, 0x00014491f1b9b838u, 0xffffdafdcc584222u,
                                            0x0000044f311d4950u, 0xffffff7db40551abu, 0x0000000f54e9e7ebu,
                                            0xfffffffe57c3dea2u, 0x000000001eeb34a2u};

/* 128 bits, two's complement. */
typedef struct {
  uint64_t high;
  uint64_t low;
} tarn_pow_pair;

static void tarn_pow_negate(tarn_pow_pair* v) {
  v->low = (uint64_t)0 - v->low;
  v->high = (uint64_t)0 - v->high - ((v->low != 0u) ? 1u : 0u);
}

static void tarn_pow_add(tarn_pow_pair* v, uint64_t high, uint64_t low) {
  v->low += low;
  v->high += high + ((v->low < low) ? 1u : 0u);
}

/* a * (b_high b_low) / 2^64 */
static void tarn_pow_multiply(tarn_pow_pair* product, uint64_t a, uint64_t b_high, uint64_t b_low) {
  product->high = tarn_mulhi_u64(a, b_high);
  product->low = a * b_high;
  tarn_pow_add(product, 0u, tarn_mulhi_u64(a, b_low));
}

/* log2(1 + r) in Q122 for r in Q60, two's complement, |r| < 0.0393: r (1 / ln 2 - r g(r)), relative error 2^-67. */
static void tarn_pow_log2_near_1(tarn_pow_pair* result, uint64_t r) {
  uint64_t r_now = r;
  const uint32_t negative = (uint32_t)(r_now >> 63);
  const uint64_t g = tarn_poly_q62(tarn_pow_curve, 11u, (r_now << 7) + 0x8000000000000000u);
  tarn_pow_pair slope;

  if (negative != 0u) {
    r_now = (uint64_t)0 - r_now;
  }
  slope.high = tarn_mulhi_u64(r_now, g); /* Q122 with the word below, and in Q126 */
  slope.low = (r_now * g) << 4;
  slope.high = (slope.high << 4) | ((r_now * g) >> 60);
  if (negative == 0u) {
    tarn_pow_negate(&slope);
  }
  tarn_pow_add(&slope, 0x5c551d94ae0bf85du, 0xdf43ff68348e9f44u); /* 1 / ln 2 */
  tarn_pow_multiply(result, r_now, slope.high, slope.low);
  if (negative != 0u) {
    tarn_pow_negate(result);
  }
}

/* log2 of the positive finite double with these bits; returns how many fraction bits the result has. */
static uint32_t tarn_pow_log2_of(tarn_pow_pair* result, uint64_t bits) {
  uint32_t b;
  const uint64_t m = tarn_f64_split(bits, &b) >> 11;         /* Q52 */
  const uint32_t upper = (m >= 0x0016a09e60000000u) ? 1u : 0u; /* sqrt(2), twice the float where the steps begin */
  uint32_t step;
  uint32_t whole = b - 1022u + upper;
  uint64_t r;

  /* Steps as in powf: equal steps of the bits of the float from sqrt(1/2) on. */
  step =
      (((((uint32_t)(m >> 29) & 0x007fffffu) + ((upper != 0u) ? 0x3f000000u : 0x3f800000u)) - 0x3f3504f3u) >> 19) & 15u;
  r = (((upper != 0u) ? m : (m << 1)) * tarn_pow_reciprocal[step]) - 0x1000000000000000u;
  tarn_pow_log2_near_1(result, r);
  if ((whole == 0u) && (step == 9u)) { /* near 1, where the logarithm is small, all bits count */
    return 122u;
  }
  result->low = (result->low >> 7) | (result->high << 57);
  result->high = (result->high >> 7) | (((result->high >> 63) != 0u) ? 0xfe00000000000000u : 0u);
  tarn_pow_add(result, tarn_pow_log2[(size_t)2u * step], tarn_pow_log2[(2u * step) + 1u]);
  result->high += (uint64_t)whole << 51;
  return 115u;
}

/* For the bits of |y|, finite and not 0: 0 when y is not an integer, 1 when it is odd, 2 when it is even. */
static uint32_t tarn_pow_integer(uint64_t bits) {
  uint64_t unit;
  if (bits < TARN_F64_ONE) {
    return 0;
  }
  if (bits >= 0x4340000000000000u) { /* 2^53 */
    return 2;
  }
  unit = (uint64_t)1 << (1075u - (uint32_t)(bits >> 52));
  if ((bits & (unit - 1u)) != 0u) {
    return 0;
  }
  return ((((bits & 0x000fffffffffffffu) | 0x0010000000000000u) & unit) != 0u) ? 1 : 2;
}

/* x is 0 or infinite, or y is infinite; |x| is not 1, y is not 0 and neither is NaN. */
static double tarn_pow_exact(uint32_t sign, uint64_t x_bits, uint32_t y_negative) {
  const uint64_t size = ((x_bits > TARN_F64_ONE) == (y_negative != 0u)) ? 0u : TARN_F64_INF;
  return tarn_f64_from_bits(size | ((uint64_t)sign << 63));
}

/* The general case: (-1)^sign |x|^y. */
static double tarn_pow_finite(uint32_t sign, uint64_t x_bits, uint32_t y_negative, uint64_t y_bits) {
  uint32_t y_negative_now = y_negative;
  tarn_pow_pair t;
  uint32_t shift = tarn_pow_log2_of(&t, x_bits);
  uint32_t places;
  uint32_t y_b;
  const uint64_t y_m = tarn_f64_split(y_bits, &y_b);
  uint64_t n;
  uint64_t f;

  if ((t.high >> 63) != 0u) {
    tarn_pow_negate(&t);
    y_negative_now ^= 1u;
  }
  if (t.high == 0u) {
    t.high = t.low;
    t.low = 0;
    shift += 64u;
  }
  places = tarn_clz_u64(t.high);
  if (places != 0u) {
    t.high = (t.high << places) | (t.low >> (64u - places));
    t.low <<= places;
  }
  tarn_pow_multiply(&t, y_m, t.high, t.low);
  /* t * 2^(64 - shift - places + y_b - 1085) is y log2 x; this is the shift to 64 fraction bits. */
  shift = shift + places + 957u - y_b;
  if ((shift - 128u) < 0x40000000u) { /* tiny */
    return tarn_f64_round(sign, 1022u, 0x8000000000000000u);
  }
  if ((shift - 51u) >= (128u - 51u)) { /* |y log2 x| >= 2^12 */
    return tarn_f64_from_bits(((uint64_t)sign << 63) | ((y_negative_now != 0u) ? 0u : TARN_F64_INF));
  }
  if (shift >= 64u) {
    n = 0;
    f = t.high >> (shift - 64u);
  } else {
    n = t.high >> shift;
    f = (t.high << (64u - shift)) | (t.low >> shift);
  }
  if (y_negative_now != 0u) {
    f = (uint64_t)0 - f;
    n = (uint64_t)0 - n - ((f != 0u) ? 1u : 0u);
  }
  return tarn_f64_round(sign, (uint32_t)n + 1022u, tarn_exp2_q63(f));
}

TARN_API double tarn_pow(double x, double y) {
  const uint32_t x_negative = (uint32_t)(tarn_f64_to_bits(x) >> 63);
  const uint64_t x_bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  const uint32_t y_negative = (uint32_t)(tarn_f64_to_bits(y) >> 63);
  const uint64_t y_bits = tarn_f64_to_bits(y) & ~TARN_F64_SIGN;
  uint32_t sign = 0;

  if ((y_bits == 0u) || (x_bits == TARN_F64_ONE && (x_negative == 0u))) {
    return 1.0;
  }
  if (x_bits > TARN_F64_INF || y_bits > TARN_F64_INF) {
    return tarn_f64_from_bits(TARN_F64_NAN);
  }
  if (y_bits == TARN_F64_INF) {
    return x_bits == TARN_F64_ONE ? 1.0 : tarn_pow_exact(0u, x_bits, y_negative);
  }
  if (x_negative != 0u) {
    const uint32_t integer = tarn_pow_integer(y_bits);
    if ((integer == 0u) && ((x_bits - 1u) < TARN_F64_INF - 1u)) {
      return tarn_f64_from_bits(TARN_F64_NAN);
    }
    sign = (integer == 1u) ? 1u : 0u;
  }
  if ((x_bits == 0u) || x_bits == TARN_F64_INF) {
    return tarn_pow_exact(sign, x_bits, y_negative);
  }
  if (x_bits == TARN_F64_ONE) {
    return (sign != 0u) ? -1.0 : 1.0;
  }
  return tarn_pow_finite(sign, x_bits, y_negative, y_bits);
}
#endif
