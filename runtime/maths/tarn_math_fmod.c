/* tarn_math_fmod.c - long division of the mantissas, eleven bits a step; every step is exact. */
#include "tarn_math_fmod.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_fmod(double x, double y) { return fmod(x, y); }
#else
#include "tarn_math_fixed_f64.h"

/* Mantissa of the double with these bits in units of 2^(*exponent - 1075), *exponent at least 1. */
static uint64_t tarn_fmod_mantissa(uint64_t bits, uint32_t* exponent) {
  *exponent = (uint32_t)(bits >> 52);
  if (*exponent == 0u) {
    *exponent = 1u;
    return bits;
  }
  return (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
}

TARN_API double tarn_fmod(double x, double y) {
  const uint64_t sign = tarn_f64_to_bits(x) & TARN_F64_SIGN;
  const uint64_t x_bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  const uint64_t y_bits = tarn_f64_to_bits(y) & ~TARN_F64_SIGN;
  uint32_t x_exponent;
  uint32_t y_exponent;
  uint32_t shift;
  uint64_t rest;
  uint64_t divisor;

  if (x_bits >= TARN_F64_INF || y_bits > TARN_F64_INF || (y_bits == 0u)) {
    return tarn_f64_from_bits(TARN_F64_NAN);
  }
  if (x_bits < y_bits) {
    return x;
  }
  rest = tarn_fmod_mantissa(x_bits, &x_exponent);
  divisor = tarn_fmod_mantissa(y_bits, &y_exponent);
  rest %= divisor;
  while (x_exponent > y_exponent) {
    shift = ((x_exponent - y_exponent) < 11u) ? (x_exponent - y_exponent) : 11u;
    rest = (rest << shift) % divisor;
    x_exponent -= shift;
  }
  if (rest == 0u) {
    return tarn_f64_from_bits(sign);
  }
  shift = tarn_clz_u64(rest) - 11u; /* to the place of a normal number, or as far as subnormals go */
  if (shift >= y_exponent) {
    shift = y_exponent - 1u;
  }
  return tarn_f64_from_bits(sign | (((uint64_t)(y_exponent - shift - 1u) << 52) + (rest << shift)));
}
#endif
