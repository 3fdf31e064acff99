/* tarn_math_exp.c - the special values of e^x. */
#include "tarn_math_exp.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_exp(double x) { return exp(x); }
#else
#include "tarn_math_exp_parts_f64.h"
#include "tarn_math_fixed_f64.h"

TARN_API double tarn_exp(double x) {
  const uint32_t sign = (uint32_t)(tarn_f64_to_bits(x) >> 63);
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  uint32_t n;
  uint64_t p;

  if (bits > TARN_F64_INF) {
    return tarn_f64_from_bits(TARN_F64_NAN);
  }
  if (bits < 0x3c90000000000000u) { /* 2^-54: 1 + x rounds to 1 */
    return 1.0;
  }
  if (bits >= 0x4090000000000000u) { /* 1024 */
    return tarn_f64_from_bits((sign != 0u) ? 0u : TARN_F64_INF);
  }
  p = tarn_exp_parts_f64(sign, bits, &n);
  return tarn_f64_round(0u, n + 1022u, p);
}
#endif
