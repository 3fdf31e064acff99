/* tarn_math_log1pf.c - the special values of log(1 + x). */
#include "tarn_math_log1pf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_log1pf(float x) { return log1pf(x); }
#else
#include "tarn_math_fixed.h"
#include "tarn_math_log1p_parts.h"

TARN_API float tarn_log1pf(float x) {
  const uint32_t sign = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t b;
  uint32_t m;

  if (bits < 0x33000000u) { /* 2^-25: the result rounds to x */
    return x;
  }
  if (bits >= ((sign != 0u) ? TARN_F32_ONE : TARN_F32_INF)) {
    if (bits > TARN_F32_INF || ((sign != 0u) && bits != TARN_F32_ONE)) {
      return tarn_f32_from_bits(TARN_F32_NAN);
    }
    return tarn_f32_from_bits(sign | TARN_F32_INF);
  }
  m = tarn_f32_split(bits, &b);
  m = tarn_log1p_parts_f32(sign, &b, m);
  return tarn_f32_round_normal(sign, b, m);
}
#endif
