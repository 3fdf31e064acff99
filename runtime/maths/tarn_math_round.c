/* tarn_math_round.c - adds a half to the size and clears the fraction. */
#include "tarn_math_round.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_round(double x) { return round(x); }
#else
#include "tarn_math_bits.h"

TARN_API double tarn_round(double x) {
  const uint64_t bits = tarn_f64_to_bits(x);
  const uint64_t size = bits & ~TARN_F64_SIGN;
  uint64_t unit;

  if (size >= 0x4330000000000000u) { /* 2^52: an integer, infinite or NaN */
    return size > TARN_F64_INF ? tarn_f64_from_bits(TARN_F64_NAN) : x;
  }
  if (size < TARN_F64_ONE) {
    return tarn_f64_from_bits((bits & TARN_F64_SIGN) | ((size >= 0x3fe0000000000000u) ? TARN_F64_ONE : 0u));
  }
  unit = (uint64_t)1 << (1075u - (size >> 52)); /* the bit that weighs 1 */
  return tarn_f64_from_bits((bits + (unit >> 1)) & ~(unit - 1u));
}
#endif
