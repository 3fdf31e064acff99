/* tarn_math_sigmoid.c - with y = e^-|x|: 1 / (1 + y), or y / (1 + y) for negative x; nothing cancels or overflows. */
#include "tarn_math_sigmoid.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_sigmoid(double x) {
  const double y = exp(-fabs(x));
  return (x < 0.0 ? y : 1.0) / (1.0 + y);
}
#else
#include "tarn_math_exp_parts_f64.h"
#include "tarn_math_fixed_f64.h"
#include "tarn_math_recip_q64.h"

TARN_API double tarn_sigmoid(double x) {
  const uint32_t sign = (uint32_t)(tarn_f64_to_bits(x) >> 63);
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  uint32_t n;
  uint32_t b;
  uint64_t p;
  uint64_t r;

  if (bits > TARN_F64_INF) {
    return tarn_f64_from_bits(TARN_F64_NAN);
  }
  if (bits < 0x3ca0000000000000u) { /* 2^-53: the result rounds to 1/2 */
    return 0.5;
  }
  if (bits >= 0x4090000000000000u) { /* 1024 */
    return (sign != 0u) ? 0.0 : 1.0;
  }
  p = tarn_exp_parts_f64(1u, bits, &n); /* n < 0 */
  r = tarn_recip_q64(0x8000000000000000u + tarn_shift_u64(p, 0u - n));
  if (sign == 0u) {
    return tarn_f64_round(0u, 1021u, r);
  }
  b = 1022u + n;
  p = tarn_f64_normalise(tarn_mulhi_u64(r, p), &b);
  return tarn_f64_round(0u, b, p);
}
#endif
