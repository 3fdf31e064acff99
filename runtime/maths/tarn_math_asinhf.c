/* tarn_math_asinhf.c - log(1 + u), u = x (1 + x / (1 + sqrt(1 + x^2))), which cancels nowhere. */
#include "tarn_math_asinhf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_asinhf(float x) { return asinhf(x); }
#else
#include "tarn_math_fixed.h"
#include "tarn_math_log1p_parts.h"
#include "tarn_math_recip_q32.h"
#include "tarn_math_sqrt_q32.h"

TARN_API float tarn_asinhf(float x) {
  const uint32_t sign = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t m = (bits << 8) | 0x80000000u;
  uint32_t b = (bits >> 23) - 1u;
  uint32_t q;
  uint32_t root;
  uint32_t slope;

  if (bits < 0x39800000u) { /* 2^-12: the result rounds to x */
    return x;
  }
  if (bits >= TARN_F32_INF) {
    return bits > TARN_F32_INF ? tarn_f32_from_bits(TARN_F32_NAN) : x;
  }
  /* q = |x| or 1 / |x|, whichever is below 1, in Q32. With sqrt(1 + q^2) the slope x / (1 + sqrt(1 + x^2)) is
   * q / (1 + root) or 1 / (q + root). */
  if (b < 126u) {
    q = m >> (125u - b);
  } else {
    q = (b < 157u) ? (tarn_recip_q32(m) >> (b - 126u)) : 0u;
  }
  root = tarn_sqrt_q32(0x40000000u + (tarn_mulhi_u32(q, q) >> 2)) >> 1; /* Q30 */
  if (b < 126u) {
    slope = tarn_mulhi_u32(q, tarn_recip_q32(0x40000000u + root)) >> 1; /* Q32 */
  } else {
    const uint32_t sum = root + (q >> 2);
    const uint32_t shift = tarn_clz_u32(sum);
    slope = tarn_recip_q32(sum << shift) >> (1u - shift);
  }
  m = (m >> 1) + (tarn_mulhi_u32(m, slope) >> 1);
  b += 1u;
  if (m < 0x80000000u) {
    m <<= 1;
    b -= 1u;
  }
  m = tarn_log1p_parts_f32(0u, &b, m);
  return tarn_f32_round_normal(sign, b, m);
}
#endif
