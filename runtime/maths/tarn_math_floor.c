/* tarn_math_floor.c - adding just less than 1 to a negative number carries into its integer part. */
#include "tarn_math_floor.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_floor(double x) { return floor(x); }
#else
#include "tarn_math_bits.h"

TARN_API double tarn_floor(double x) {
  const uint64_t bits = tarn_f64_to_bits(x);
  const uint64_t size = bits & ~TARN_F64_SIGN;
  uint64_t fraction;

  if (size >= 0x4330000000000000u) { /* 2^52: an integer, infinite or NaN */
    return size > TARN_F64_INF ? tarn_f64_from_bits(TARN_F64_NAN) : x;
  }
  if (size < TARN_F64_ONE) {
    if ((size != 0u) && bits > TARN_F64_SIGN) {
      return -1.0;
    }
    return tarn_f64_from_bits(bits & TARN_F64_SIGN);
  }
  fraction = 0x000fffffffffffffu >> ((size >> 52) - 1023u);
  return tarn_f64_from_bits((bits + (bits > TARN_F64_SIGN ? fraction : 0u)) & ~fraction);
}
#endif
