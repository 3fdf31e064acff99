/* tarn_math_expm1.c - u = e^|x| - 1 for positive x, -u / (1 + u) for negative x. */
#include "tarn_math_expm1.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_expm1(double x) { return expm1(x); }
#else
#include "tarn_math_expm1_parts_f64.h"
#include "tarn_math_fixed_f64.h"

TARN_API double tarn_expm1(double x) {
  const uint32_t sign = (uint32_t)(tarn_f64_to_bits(x) >> 63);
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  uint32_t b;
  uint64_t m;

  if (bits > TARN_F64_INF) {
    return tarn_f64_from_bits(TARN_F64_NAN);
  }
  if (bits < 0x3c90000000000000u) { /* 2^-54: the result rounds to x */
    return x;
  }
  if (bits >= 0x4090000000000000u) { /* 1024 */
    return (sign != 0u) ? -1.0 : tarn_f64_from_bits(TARN_F64_INF);
  }
  m = tarn_expm1_parts_f64(bits, &b);
  if (sign != 0u) {
    m = tarn_over_1_plus_f64(m, &b);
  }
  return tarn_f64_round(sign, b, m);
}
#endif
