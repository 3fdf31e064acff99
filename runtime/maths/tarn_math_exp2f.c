/* tarn_math_exp2f.c - 2^x = 2^n 2^f, x = n + f in fixed point. */
#include "tarn_math_exp2f.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_exp2f(float x) { return exp2f(x); }
#else
#include "tarn_math_exp2_q31.h"

TARN_API float tarn_exp2f(float x) {
  const uint32_t sign = tarn_f32_to_bits(x) >> 31;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  const uint32_t m = (bits << 8) | 0x80000000u;
  uint64_t t;

  /* Between 2^-25, where the result rounds to 1, and 150, where 2^-x is half the least subnormal. */
  if ((bits - 0x33000000u) >= (0x43160000u - 0x33000000u)) {
    if (bits < 0x33000000u) {
      return 1.0f;
    }
    if (bits > TARN_F32_INF) {
      return tarn_f32_from_bits(TARN_F32_NAN);
    }
    return tarn_f32_from_bits((sign != 0u) ? 0u : TARN_F32_INF);
  }
  if (bits < 0x3f000000u) {
    t = m >> (126u - (bits >> 23));
  } else {
    t = (uint64_t)m << ((bits >> 23) - 126u);
  }
  if (sign != 0u) {
    t = (uint64_t)0 - t;
  }
  return tarn_f32_round(0u, (uint32_t)(t >> 32) + 126u, tarn_exp2_q31((uint32_t)t));
}
#endif
