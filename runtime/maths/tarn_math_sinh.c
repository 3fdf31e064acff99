/* tarn_math_sinh.c - (u + u / (1 + u)) / 2, u = e^|x| - 1. */
#include "tarn_math_sinh.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_sinh(double x) { return sinh(x); }
#else
#include "tarn_math_expm1_parts_f64.h"
#include "tarn_math_fixed_f64.h"

TARN_API double tarn_sinh(double x) {
  const uint32_t sign = (uint32_t)(tarn_f64_to_bits(x) >> 63);
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  uint32_t b;
  uint32_t ratio_b;
  uint64_t m;
  uint64_t ratio;

  if (bits > TARN_F64_INF) {
    return tarn_f64_from_bits(TARN_F64_NAN);
  }
  if (bits < 0x3e40000000000000u) { /* 2^-27: the result rounds to x */
    return x;
  }
  if (bits >= 0x4090000000000000u) { /* 1024 */
    return tarn_f64_from_bits((tarn_f64_to_bits(x) & TARN_F64_SIGN) | TARN_F64_INF);
  }
  m = tarn_expm1_parts_f64(bits, &b);
  ratio_b = b;
  ratio = tarn_over_1_plus_f64(m, &ratio_b);
  m = tarn_add_parts_f64(m, &b, ratio, ratio_b);
  return tarn_f64_round(sign, b - 1u, m);
}
#endif
