/* tarn_math_log1p.c - the special values of log(1 + x). */
#include "tarn_math_log1p.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_log1p(double x) { return log1p(x); }
#else
#include "tarn_math_fixed_f64.h"
#include "tarn_math_log_parts_f64.h"

TARN_API double tarn_log1p(double x) {
  const uint32_t sign = (uint32_t)(tarn_f64_to_bits(x) >> 63);
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  uint32_t b;
  uint64_t m;

  if (bits < 0x3c90000000000000u) { /* 2^-54: the result rounds to x */
    return x;
  }
  if (bits >= ((sign != 0u) ? TARN_F64_ONE : TARN_F64_INF)) {
    if (bits > TARN_F64_INF || ((sign != 0u) && bits != TARN_F64_ONE)) {
      return tarn_f64_from_bits(TARN_F64_NAN);
    }
    return tarn_f64_from_bits(((sign != 0u) ? TARN_F64_SIGN : 0u) | TARN_F64_INF);
  }
  m = tarn_f64_split(bits, &b);
  m = tarn_log1p_parts_f64(sign, &b, m);
  return tarn_f64_round(sign, b, m);
}
#endif
