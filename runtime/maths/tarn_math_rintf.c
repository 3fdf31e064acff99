/* tarn_math_rintf.c - adds a half, or just less when the integer part is even, and clears the fraction. */
#include "tarn_math_rintf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_rintf(float x) { return rintf(x); }
#else
#include "tarn_math_bits.h"

TARN_API float tarn_rintf(float x) {
  const uint32_t bits = tarn_f32_to_bits(x);
  const uint32_t size = bits & ~TARN_F32_SIGN;
  uint32_t unit;

  if (size >= 0x4b000000u) { /* 2^23: an integer, infinite or NaN */
    return size > TARN_F32_INF ? tarn_f32_from_bits(TARN_F32_NAN) : x;
  }
  if (size < TARN_F32_ONE) {
    return tarn_f32_from_bits((bits & TARN_F32_SIGN) | ((size > 0x3f000000u) ? TARN_F32_ONE : 0u));
  }
  /* The bit that weighs 1. From 1 to 2 it is the lowest of the exponent field, which is set there. */
  unit = (uint32_t)1 << (150u - (size >> 23));
  return tarn_f32_from_bits((bits + (unit >> 1) - (((bits & unit) != 0u) ? 0u : 1u)) & ~(unit - 1u));
}
#endif
