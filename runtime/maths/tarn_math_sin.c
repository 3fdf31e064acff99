/* tarn_math_sin.c - sine: polynomials on [-pi/4, pi/4] after exact reduction. */
#include "tarn_math_sin.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_sin(double x) { return sin(x); }
#else
#include "tarn_math_fixed_f64.h"
#include "tarn_math_trig_f64.h"

TARN_API double tarn_sin(double x) {
  uint32_t sign = (uint32_t)(tarn_f64_to_bits(x) >> 63);
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  uint32_t b;
  uint64_t m;

  if (bits < 0x3e40000000000000u) { /* 2^-27: the result rounds to x */
    return x;
  }
  if (bits >= TARN_F64_INF) {
    return tarn_f64_from_bits(TARN_F64_NAN);
  }
  m = tarn_f64_split(bits, &b);
  if (bits > 0x3fe921fb54442d18u) { /* pi/4 */
    const uint32_t q = tarn_trig_reduce_f64(bits, &b, &m);
    sign ^= (q >> 1) & 1u;
    if ((q & 1u) != 0u) {
      return tarn_f64_round(sign, 1021u, tarn_cos_q64(b, m));
    }
    sign ^= q >> 2;
  }
  m = tarn_sin_parts_f64(&b, m);
  return tarn_f64_round(sign, b, m);
}
#endif
