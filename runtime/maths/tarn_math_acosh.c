/* tarn_math_acosh.c - log(1 + u), u = d + sqrt(d (d + 2)), d = x - 1, which cancels nowhere. */
#include "tarn_math_acosh.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_acosh(double x) { return acosh(x); }
#else
#include "tarn_math_fixed_f64.h"
#include "tarn_math_log_parts_f64.h"
#include "tarn_math_sqrt_q64.h"

TARN_API double tarn_acosh(double x) {
  const uint64_t bits = tarn_f64_to_bits(x);
  uint32_t b;
  uint32_t d_b;
  uint64_t m;
  uint64_t d_m;

  if (bits <= TARN_F64_ONE || bits >= TARN_F64_INF) {
    if (bits == TARN_F64_ONE) {
      return 0.0;
    }
    return bits == TARN_F64_INF ? x : tarn_f64_from_bits(TARN_F64_NAN);
  }
  m = tarn_f64_split(bits, &b);
  d_b = b;
  d_m = tarn_f64_normalise(m - tarn_shift_u64(0x8000000000000000u, b - 1022u), &d_b);
  m = tarn_add_parts_f64(m, &b, 0x8000000000000000u, 1022u);
  /* (x - 1) (x + 1), with an even exponent for the root: value = m * 2^(b-1085). */
  b += d_b - 1021u;
  m = tarn_f64_normalise(tarn_mulhi_u64(m, d_m), &b);
  if ((b & 1u) == 0u) {
    m >>= 1;
    b += 1u;
  }
  b = (b + 1021u) >> 1;
  m = tarn_add_parts_f64(tarn_sqrt_q64(m), &b, d_m, d_b);
  m = tarn_log1p_parts_f64(0u, &b, m);
  return tarn_f64_round(0u, b, m);
}
#endif
