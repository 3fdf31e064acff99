/* tarn_math_atanhf.c - log(1 + u) / 2, u = 2 x / (1 - x). */
#include "tarn_math_atanhf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_atanhf(float x) { return atanhf(x); }
#else
#include "tarn_math_fixed.h"
#include "tarn_math_log1p_parts.h"
#include "tarn_math_recip_q32.h"

TARN_API float tarn_atanhf(float x) {
  const uint32_t sign = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t m = (bits << 8) | 0x80000000u;
  uint32_t b = (bits >> 23) - 1u;
  uint32_t rest;
  uint32_t shift;

  if (bits < 0x39800000u) { /* 2^-12: the result rounds to x */
    return x;
  }
  if (bits >= TARN_F32_ONE) {
    return tarn_f32_from_bits(bits > TARN_F32_ONE ? TARN_F32_NAN : sign | TARN_F32_INF);
  }
  rest = 0u - (m >> (125u - b)); /* 1 - |x| in Q32 */
  shift = tarn_clz_u32(rest);
  m = tarn_mulhi_u32(m, tarn_recip_q32(rest << shift));
  b += 2u + shift;
  if (m < 0x80000000u) {
    m <<= 1;
    b -= 1u;
  }
  m = tarn_log1p_parts_f32(0u, &b, m);
  return tarn_f32_round_normal(sign, b - 1u, m);
}
#endif
