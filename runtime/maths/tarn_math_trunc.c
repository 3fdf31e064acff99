/* tarn_math_trunc.c - the bits below the point are cleared. */
#include "tarn_math_trunc.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_trunc(double x) { return trunc(x); }
#else
#include "tarn_math_bits.h"

TARN_API double tarn_trunc(double x) {
  const uint64_t bits = tarn_f64_to_bits(x);
  const uint64_t size = bits & ~TARN_F64_SIGN;

  if (size >= 0x4330000000000000u) { /* 2^52: an integer, infinite or NaN */
    return size > TARN_F64_INF ? tarn_f64_from_bits(TARN_F64_NAN) : x;
  }
  if (size < TARN_F64_ONE) {
    return tarn_f64_from_bits(bits & TARN_F64_SIGN);
  }
  return tarn_f64_from_bits(bits & ~(0x000fffffffffffffu >> ((size >> 52) - 1023u)));
}
#endif
