/* tarn_math_tan.c - tangent: sine over cosine on [-pi/4, pi/4] after exact reduction, or minus cosine over sine. */
#include "tarn_math_tan.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API double tarn_tan(double x) { return tan(x); }
#else
#include "tarn_math_fixed_f64.h"
#include "tarn_math_recip_q64.h"
#include "tarn_math_trig_f64.h"

TARN_API double tarn_tan(double x) {
  uint32_t sign = (uint32_t)(tarn_f64_to_bits(x) >> 63);
  const uint64_t bits = tarn_f64_to_bits(x) & ~TARN_F64_SIGN;
  uint32_t q = 0;
  uint32_t b;
  uint64_t m;
  uint64_t cosine;

  if (bits < 0x3e40000000000000u) { /* 2^-27: the result rounds to x */
    return x;
  }
  if (bits >= TARN_F64_INF) {
    return tarn_f64_from_bits(TARN_F64_NAN);
  }
  m = tarn_f64_split(bits, &b);
  if (bits > 0x3fe921fb54442d18u) { /* pi/4 */
    q = tarn_trig_reduce_f64(bits, &b, &m);
    sign ^= (q ^ (q >> 2)) & 1u;
  }
  cosine = tarn_cos_q64(b, m);
  m = tarn_sin_parts_f64(&b, m);
  if ((q & 1u) != 0u) {
    m = tarn_mulhi_u64(cosine, tarn_recip_q64(m));
    b = 2043u - b;
  } else {
    m = tarn_mulhi_u64(m, tarn_recip_q64(cosine));
    b += 1u;
  }
  m = tarn_f64_normalise(m, &b);
  return tarn_f64_round(sign, b, m);
}
#endif
