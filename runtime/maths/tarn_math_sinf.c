/* tarn_math_sinf.c - sine: polynomials on [-pi/4, pi/4] after exact reduction. */
#include "tarn_math_sinf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_sinf(float x) { return sinf(x); }
#else
#include "tarn_math_trig_f32.h"

TARN_API float tarn_sinf(float x) {
  uint32_t sign = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t m = (bits << 8) | 0x80000000u;
  uint32_t b = (bits >> 23) - 1u;

  if (bits < 0x39800000u) { /* 2^-12: the result rounds to x */
    return x;
  }
  if (bits >= TARN_F32_INF) {
    return tarn_f32_from_bits(TARN_F32_NAN);
  }
  if (bits > TARN_PI_4_F32) {
    const uint32_t q = tarn_trig_reduce_f32(bits, &b, &m);
    if ((q & 2u) != 0u) {
      sign ^= TARN_F32_SIGN;
    }
    if ((q & 1u) != 0u) {
      return tarn_f32_round_normal(sign, 125u, tarn_cos_q32(b, m));
    }
    sign ^= (q & 4u) << 29;
  }
  m = tarn_sin_parts_f32(&b, m);
  return tarn_f32_round_normal(sign, b, m);
}
#endif
