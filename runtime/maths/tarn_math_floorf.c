/* tarn_math_floorf.c - adding just less than 1 to a negative number carries into its integer part. */
#include "tarn_math_floorf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_floorf(float x) { return floorf(x); }
#else
#include "tarn_math_bits.h"

TARN_API float tarn_floorf(float x) {
  const uint32_t bits = tarn_f32_to_bits(x);
  const uint32_t size = bits & ~TARN_F32_SIGN;
  uint32_t fraction;

  if (size >= 0x4b000000u) { /* 2^23: an integer, infinite or NaN */
    return size > TARN_F32_INF ? tarn_f32_from_bits(TARN_F32_NAN) : x;
  }
  if (size < TARN_F32_ONE) {
    if ((size != 0u) && bits > TARN_F32_SIGN) {
      return -1.0f;
    }
    return tarn_f32_from_bits(bits & TARN_F32_SIGN);
  }
  fraction = 0x007fffffu >> ((size >> 23) - 127u);
  return tarn_f32_from_bits((bits + (bits > TARN_F32_SIGN ? fraction : 0u)) & ~fraction);
}
#endif
