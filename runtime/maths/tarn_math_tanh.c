/* tarn_math_tanh.c - u / (2 + u), u = e^2|x| - 1. */
#include "tarn_math_tanh.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_tanh(double x) { return tanh(x); }
#else
#include "tarn_math_expm1_parts_f64.h"
#include "tarn_math_fixed_f64.h"

TARN_API double tarn_tanh(double x) {
  const uint32_t sign = (uint32_t)(tarn_f64_to_bits(x) >> 63);
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  uint32_t b;
  uint64_t m;

  if (bits > TARN_F64_INF) {
    return tarn_f64_from_bits(TARN_F64_NAN);
  }
  if (bits < 0x3e40000000000000u) { /* 2^-27: the result rounds to x */
    return x;
  }
  if (bits >= 0x4034000000000000u) { /* 20: the result rounds to 1 */
    return (sign != 0u) ? -1.0 : 1.0;
  }
  m = tarn_expm1_parts_f64(bits + 0x0010000000000000u, &b);
  b -= 1u; /* u / 2, which leaves the ratio with 1 in place of 2 */
  m = tarn_over_1_plus_f64(m, &b);
  return tarn_f64_round(sign, b, m);
}
#endif
