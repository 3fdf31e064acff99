/* tarn_math_cosh.c - (e^x + e^-x) / 2 in fixed point. */
#include "tarn_math_cosh.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_cosh(double x) { return cosh(x); }
#else
#include "tarn_math_exp_parts_f64.h"
#include "tarn_math_fixed_f64.h"
#include "tarn_math_recip_q64.h"

TARN_API double tarn_cosh(double x) {
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  uint32_t n;
  uint32_t b;
  uint64_t m;

  if (bits > TARN_F64_INF) {
    return tarn_f64_from_bits(TARN_F64_NAN);
  }
  if (bits < 0x3e40000000000000u) { /* 2^-27: the result rounds to 1 */
    return 1.0;
  }
  if (bits >= 0x4090000000000000u) { /* 1024 */
    return tarn_f64_from_bits(TARN_F64_INF);
  }
  m = tarn_exp_parts_f64(0u, bits, &n);
  m = (m >> 1) + tarn_shift_u64(tarn_recip_q64(m), 2u + (2u * n)); /* cosh(x) 2^(1-n) in Q62 */
  b = 1022u + n;
  m = tarn_f64_normalise(m, &b);
  return tarn_f64_round(0u, b, m);
}
#endif
