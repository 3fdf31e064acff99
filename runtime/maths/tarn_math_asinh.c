/* tarn_math_asinh.c - log(1 + u), u = x (1 + x / (1 + sqrt(1 + x^2))), which cancels nowhere. */
#include "tarn_math_asinh.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_asinh(double x) { return asinh(x); }
#else
#include "tarn_math_fixed_f64.h"
#include "tarn_math_log_parts_f64.h"
#include "tarn_math_recip_q64.h"
#include "tarn_math_sqrt_q64.h"

TARN_API double tarn_asinh(double x) {
  const uint32_t sign = (uint32_t)(tarn_f64_to_bits(x) >> 63);
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  uint32_t b;
  uint64_t m;
  uint64_t q;
  uint64_t root;
  uint64_t slope;

  if (bits >= TARN_F64_INF) {
    return bits > TARN_F64_INF ? tarn_f64_from_bits(TARN_F64_NAN) : x;
  }
  if (bits < 0x3e40000000000000u) { /* 2^-27: the result rounds to x */
    return x;
  }
  m = tarn_f64_split(bits, &b);
  /* q = |x| or 1 / |x|, whichever is below 1, in Q64. With sqrt(1 + q^2) the slope x / (1 + sqrt(1 + x^2)) is
   * q / (1 + root) or 1 / (q + root). */
  q = (b < 1022u) ? (m >> (1021u - b)) : tarn_shift_u64(tarn_recip_q64(m), b - 1022u);
  root = tarn_sqrt_q64(0x4000000000000000u + (tarn_mulhi_u64(q, q) >> 2)) >> 1; /* Q62 */
  if (b < 1022u) {
    slope = tarn_mulhi_u64(q, tarn_recip_q64(0x4000000000000000u + root)) >> 1; /* Q64 */
  } else {
    uint32_t shift = 1u;
    root = tarn_f64_normalise(root + (q >> 2), &shift);
    slope = tarn_recip_q64(root) >> shift;
  }
  b += 1u;
  m = tarn_f64_normalise((m >> 1) + (tarn_mulhi_u64(m, slope) >> 1), &b);
  m = tarn_log1p_parts_f64(0u, &b, m);
  return tarn_f64_round(sign, b, m);
}
#endif
