/* tarn_math_ceilf.c - adding just less than 1 to a positive number carries into its integer part. */
#include "tarn_math_ceilf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_ceilf(float x) { return ceilf(x); }
#else
#include "tarn_math_bits.h"

TARN_API float tarn_ceilf(float x) {
  const uint32_t bits = tarn_f32_to_bits(x);
  const uint32_t size = bits & ~TARN_F32_SIGN;
  uint32_t fraction;

  if (size >= 0x4b000000u) { /* 2^23: an integer, infinite or NaN */
    return size > TARN_F32_INF ? tarn_f32_from_bits(TARN_F32_NAN) : x;
  }
  if (size < TARN_F32_ONE) {
    if ((size != 0u) && bits < TARN_F32_SIGN) {
      return 1.0f;
    }
    return tarn_f32_from_bits(bits & TARN_F32_SIGN);
  }
  fraction = 0x007fffffu >> ((size >> 23) - 127u);
  return tarn_f32_from_bits((bits + (bits < TARN_F32_SIGN ? fraction : 0u)) & ~fraction);
}
#endif
