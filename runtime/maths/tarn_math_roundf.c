/* tarn_math_roundf.c - adds a half to the size and clears the fraction. */
#include "tarn_math_roundf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_roundf(float x) { return roundf(x); }
#else
#include "tarn_math_bits.h"

TARN_API float tarn_roundf(float x) {
  const uint32_t bits = tarn_f32_to_bits(x);
  const uint32_t size = bits & ~TARN_F32_SIGN;
  uint32_t unit;

  if (size >= 0x4b000000u) { /* 2^23: an integer, infinite or NaN */
    return size > TARN_F32_INF ? tarn_f32_from_bits(TARN_F32_NAN) : x;
  }
  if (size < TARN_F32_ONE) {
    return tarn_f32_from_bits((bits & TARN_F32_SIGN) | ((size >= 0x3f000000u) ? TARN_F32_ONE : 0u));
  }
  unit = (uint32_t)1 << (150u - (size >> 23)); /* the bit that weighs 1 */
  return tarn_f32_from_bits((bits + (unit >> 1)) & ~(unit - 1u));
}
#endif
