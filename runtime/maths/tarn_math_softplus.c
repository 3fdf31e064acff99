/* tarn_math_softplus.c - max(x, 0) + log(1 + e^-|x|). */
#include "tarn_math_softplus.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_softplus(double x) { return (x > 0.0 ? x : 0.0) + log1p(exp(-fabs(x))); }
#else
#include "tarn_math_exp_parts_f64.h"
#include "tarn_math_fixed_f64.h"
#include "tarn_math_log_parts_f64.h"

TARN_API double tarn_softplus(double x) {
  const uint32_t sign = (uint32_t)(tarn_f64_to_bits(x) >> 63);
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  uint32_t b;
  uint32_t x_b;
  uint64_t m;
  uint64_t x_m;

  if (bits > TARN_F64_INF) {
    return tarn_f64_from_bits(TARN_F64_NAN);
  }
  if (bits >= 0x4090000000000000u) { /* 1024 */
    return (sign != 0u) ? 0.0 : x;
  }
  if (bits < 0x3c90000000000000u) {
    return tarn_f64_from_bits(0x3fe62e42fefa39efu); /* ln 2 */
  }
  m = tarn_exp_parts_f64(1u, bits, &b);
  b += 1022u;
  m = tarn_log1p_parts_f64(0u, &b, m);
  if (sign == 0u) {
    x_m = tarn_f64_split(bits, &x_b);
    m = tarn_add_parts_f64(m, &b, x_m, x_b);
  }
  return tarn_f64_round(0u, b, m);
}
#endif
