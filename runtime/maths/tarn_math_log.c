/* tarn_math_log.c - the special values of the logarithm. */
#include "tarn_math_log.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_log(double x) { return log(x); }
#else
#include "tarn_math_fixed_f64.h"
#include "tarn_math_log_parts_f64.h"

TARN_API double tarn_log(double x) {
  const uint64_t bits = tarn_f64_to_bits(x);
  uint32_t sign;
  uint32_t b;
  uint64_t m;

  if ((bits & ~TARN_F64_SIGN) == 0u) {
    return tarn_f64_from_bits(TARN_F64_SIGN | TARN_F64_INF);
  }
  if (bits >= TARN_F64_INF) {
    return bits == TARN_F64_INF ? x : tarn_f64_from_bits(TARN_F64_NAN);
  }
  m = tarn_f64_split(bits, &b);
  m = tarn_log_parts_f64(b - 1022u, m, &sign, &b);
  return (m == 0u) ? 0.0 : tarn_f64_round(sign, b, m);
}
#endif
