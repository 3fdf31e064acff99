/* tarn_math_truncf.c - the bits below the point are cleared. */
#include "tarn_math_truncf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_truncf(float x) { return truncf(x); }
#else
#include "tarn_math_bits.h"

TARN_API float tarn_truncf(float x) {
  const uint32_t bits = tarn_f32_to_bits(x);
  const uint32_t size = bits & ~TARN_F32_SIGN;

  if (size >= 0x4b000000u) { /* 2^23: an integer, infinite or NaN */
    return size > TARN_F32_INF ? tarn_f32_from_bits(TARN_F32_NAN) : x;
  }
  if (size < TARN_F32_ONE) {
    return tarn_f32_from_bits(bits & TARN_F32_SIGN);
  }
  return tarn_f32_from_bits(bits & ~(0x007fffffu >> ((size >> 23) - 127u)));
}
#endif
