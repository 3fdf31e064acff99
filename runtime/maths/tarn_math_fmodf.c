/* tarn_math_fmodf.c - long division of the mantissas, eight bits a step; every step is exact. */
#include "tarn_math_fmodf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_fmodf(float x, float y) { return fmodf(x, y); }
#else
#include "tarn_math_fixed.h"

/* Mantissa of the float with these bits in units of 2^(*exponent - 150), *exponent at least 1. */
static uint32_t tarn_fmodf_mantissa(uint32_t bits, uint32_t* exponent) {
  *exponent = bits >> 23;
  if (*exponent == 0u) {
    *exponent = 1u;
    return bits;
  }
  return (bits & 0x007fffffu) | 0x00800000u;
}

TARN_API float tarn_fmodf(float x, float y) {
  const uint32_t sign = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t x_bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  const uint32_t y_bits = tarn_f32_to_bits(y) & ~TARN_F32_SIGN;
  uint32_t x_exponent;
  uint32_t y_exponent;
  uint32_t rest;
  uint32_t divisor;
  uint32_t shift;

  if (x_bits >= TARN_F32_INF || y_bits > TARN_F32_INF || (y_bits == 0u)) {
    return tarn_f32_from_bits(TARN_F32_NAN);
  }
  if (x_bits < y_bits) {
    return x;
  }
  rest = tarn_fmodf_mantissa(x_bits, &x_exponent);
  divisor = tarn_fmodf_mantissa(y_bits, &y_exponent);
  rest %= divisor;
  while (x_exponent > y_exponent) {
    shift = ((x_exponent - y_exponent) < 8u) ? (x_exponent - y_exponent) : 8u;
    rest = (rest << shift) % divisor;
    x_exponent -= shift;
  }
  if (rest == 0u) {
    return tarn_f32_from_bits(sign);
  }
  shift = tarn_clz_u32(rest) - 8u; /* to the place of a normal number, or as far as subnormals go */
  if (shift >= y_exponent) {
    shift = y_exponent - 1u;
  }
  return tarn_f32_from_bits(sign | (((y_exponent - shift - 1u) << 23) + (rest << shift)));
}
#endif
