/* tarn_math_atanf.c - a polynomial below 1, pi/2 - atan(1/x) above. */
#include "tarn_math_atanf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_atanf(float x) { return atanf(x); }
#else
#include "tarn_math_atan_q32.h"

TARN_API float tarn_atanf(float x) {
  const uint32_t sign = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t m = (bits << 8) | 0x80000000u;
  uint32_t b = (bits >> 23) - 1u;

  if (bits < 0x39800000u) { /* 2^-12: the result rounds to x */
    return x;
  }
  if (bits >= 0x4c800000u) { /* 2^26: the result rounds to pi/2 */
    return tarn_f32_from_bits(bits > TARN_F32_INF ? TARN_F32_NAN : (sign | 0x3fc90fdbu));
  }
  if (bits >= TARN_F32_ONE) {
    b = 251u - b;
    m = tarn_recip_q32(m);
  }
  m = tarn_atan_parts_f32(b, m);
  if (bits >= TARN_F32_ONE) {
    m = 0xc90fdaa2u - (m >> (126u - b)); /* pi/2 in Q31 */
    b = 126u;
  }
  if (m < 0x80000000u) {
    m <<= 1;
    b -= 1u;
  }
  return tarn_f32_round_normal(sign, b, m);
}
#endif
