/* tarn_math_sinhf.c - x (1 + z h(z)), z = x^2, below 1/2; (e^x - e^-x) / 2 in fixed point above. */
#include "tarn_math_sinhf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_sinhf(float x) { return sinhf(x); }
#else
#include "tarn_math_exp2_q31.h"
#include "tarn_math_recip_q32.h"

/* sinh(x) / x - 1 in Q32 for z = x^2 in Q32, z < 1/4: z times a minimax polynomial of degree 2, error 2^-33. */
static uint32_t tarn_sinh_excess_q32(uint32_t z) {
  uint32_t h = 0x000d1708u;
  h = 0x02221eecu + tarn_mulhi_u32(h, z);
  h = 0x2aaaaaccu + tarn_mulhi_u32(h, z);
  return tarn_mulhi_u32(h, z);
}

TARN_API float tarn_sinhf(float x) {
  const uint32_t sign = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t m = (bits << 8) | 0x80000000u;
  uint32_t b = (bits >> 23) - 1u;

  if (bits < 0x39800000u) { /* 2^-12: the result rounds to x */
    return x;
  }
  if (bits >= 0x42b40000u) { /* 90: overflow */
    return tarn_f32_from_bits(bits > TARN_F32_INF ? TARN_F32_NAN : sign | TARN_F32_INF);
  }
  if (bits < 0x3f000000u) {
    m = (m >> 1) + (tarn_mulhi_u32(m, tarn_sinh_excess_q32(tarn_square_q32(b, m))) >> 1);
    b += 1u;
  } else {
    const uint64_t t = tarn_exp_scale_f32(bits);
    const uint32_t n = (uint32_t)(t >> 32);
    m = tarn_exp2_q31((uint32_t)t);
    m -= (n < 15u) ? (tarn_recip_q32(m) >> (1u + (2u * n))) : 0u;
    b = 125u + n;
  }
  if (m < 0x80000000u) {
    m <<= 1;
    b -= 1u;
  }
  return tarn_f32_round(sign, b, m);
}
#endif
