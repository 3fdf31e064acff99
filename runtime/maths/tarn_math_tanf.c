/* tarn_math_tanf.c - tangent: sine over cosine on [-pi/4, pi/4] after exact reduction, or minus cosine over sine. */
#include "tarn_math_tanf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_tanf(float x) { return tanf(x); }
#else
#include "tarn_math_recip_q32.h"
#include "tarn_math_trig_f32.h"

TARN_API float tarn_tanf(float x) {
  uint32_t sign = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t m = (bits << 8) | 0x80000000u;
  uint32_t b = (bits >> 23) - 1u;
  uint32_t q = 0;
  uint32_t cosine;

  if (bits < 0x39800000u) { /* 2^-12: the result rounds to x */
    return x;
  }
  if (bits >= TARN_F32_INF) {
    return tarn_f32_from_bits(TARN_F32_NAN);
  }
  if (bits > TARN_PI_4_F32) {
    q = tarn_trig_reduce_f32(bits, &b, &m);
    sign ^= ((q & 4u) << 29) ^ (q << 31);
  }
  cosine = tarn_cos_q32(b, m);
  m = tarn_sin_parts_f32(&b, m);
  if ((q & 1u) != 0u) {
    m = tarn_mulhi_u32(cosine, tarn_recip_q32(m));
    b = 251u - b;
  } else {
    m = tarn_mulhi_u32(m, tarn_recip_q32(cosine));
    b += 1u;
  }
  if (m < 0x80000000u) {
    m <<= 1;
    b -= 1u;
  }
  return tarn_f32_round_normal(sign, b, m);
}
#endif
