/* tarn_math_expf.c - e^x = 2^n 2^f, x / ln 2 = n + f in fixed point. */
#include "tarn_math_expf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_expf(float x) { return expf(x); }
#else
#include "tarn_math_exp2_q31.h"

TARN_API float tarn_expf(float x) {
  const uint32_t sign = tarn_f32_to_bits(x) >> 31;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint64_t t;

  /* Between 2^-26, where 1 + x rounds to 1, and 103.97..., where e^-x is half the least subnormal. */
  if ((bits - 0x32800000u) > (0x42cff1b5u - 0x32800000u)) {
    if (bits < 0x32800000u) {
      return 1.0f;
    }
    if (bits > TARN_F32_INF) {
      return tarn_f32_from_bits(TARN_F32_NAN);
    }
    return tarn_f32_from_bits((sign != 0u) ? 0u : TARN_F32_INF);
  }
  t = tarn_exp_scale_f32(bits);
  if (sign != 0u) {
    t = (uint64_t)0 - t; /* two's complement: the high word is still n, the low word f */
  }
  return tarn_f32_round(0u, (uint32_t)(t >> 32) + 126u, tarn_exp2_q31((uint32_t)t));
}
#endif
