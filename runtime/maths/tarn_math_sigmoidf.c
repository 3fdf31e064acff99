/* tarn_math_sigmoidf.c - with y = e^-|x|: 1 / (1 + y), or y / (1 + y) for negative x; nothing cancels or overflows. */
#include "tarn_math_sigmoidf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_sigmoidf(float x) {
  const float y = expf(-fabsf(x));
  return (x < 0.0f ? y : 1.0f) / (1.0f + y);
}
#else
#include "tarn_math_exp2_q31.h"
#include "tarn_math_recip_q32.h"

TARN_API float tarn_sigmoidf(float x) {
  const uint32_t sign = tarn_f32_to_bits(x) >> 31;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint64_t t;
  uint32_t k;
  uint32_t p;
  uint32_t r;

  /* Between 2^-24, where the result rounds to 1/2, and 103.97..., where y is half the least subnormal. */
  if ((bits - 0x33800000u) > (0x42cff1b5u - 0x33800000u)) {
    if (bits < 0x33800000u) {
      return 0.5f;
    }
    if (bits > TARN_F32_INF) {
      return tarn_f32_from_bits(TARN_F32_NAN);
    }
    return (sign != 0u) ? 0.0f : 1.0f;
  }
  t = (uint64_t)0 - tarn_exp_scale_f32(bits);
  k = 0u - (uint32_t)(t >> 32); /* y = p * 2^-k, k >= 1 */
  p = tarn_exp2_q31((uint32_t)t);
  r = tarn_recip_q32(0x80000000u + ((k < 32u) ? (p >> k) : 0u));
  if (sign == 0u) {
    return tarn_f32_round_normal(0u, 125u, r);
  }
  p = tarn_mulhi_u32(r, p);
  if (p < 0x80000000u) {
    p <<= 1;
    k += 1u;
  }
  return tarn_f32_round(0u, 126u - k, p);
}
#endif
