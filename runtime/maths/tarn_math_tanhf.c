/* tarn_math_tanhf.c - x (1 - z t(z)), z = x^2, below 1/2; (1 - y) / (1 + y), y = e^-2|x|, above. */
#include "tarn_math_tanhf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_tanhf(float x) { return tanhf(x); }
#else
#include "tarn_math_exp2_q31.h"
#include "tarn_math_recip_q32.h"

/* (1 - tanh(x) / x) / z in Q32 for z = x^2 in Q32, z < 1/4: minimax of degree 4, error of tanh 2^-31.4. */
static uint32_t tarn_tanh_tail_q32(uint32_t z) {
  uint32_t t = 0x01b3a651u;
  t = 0x0573c902u - tarn_mulhi_u32(t, z);
  t = 0x0dcc565fu - tarn_mulhi_u32(t, z);
  t = 0x2221e437u - tarn_mulhi_u32(t, z);
  return 0x55555440u - tarn_mulhi_u32(t, z);
}

TARN_API float tarn_tanhf(float x) {
  const uint32_t sign = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t m;
  uint32_t b;

  if (bits < 0x39800000u) { /* 2^-12: the result rounds to x */
    return x;
  }
  if (bits >= 0x41200000u) { /* 10: the result rounds to 1 */
    return tarn_f32_from_bits(bits > TARN_F32_INF ? TARN_F32_NAN : sign | TARN_F32_ONE);
  }
  if (bits < 0x3f000000u) {
    uint32_t z;
    m = (bits << 8) | 0x80000000u;
    b = (bits >> 23) - 1u;
    z = tarn_square_q32(b, m);
    m -= tarn_mulhi_u32(m, tarn_mulhi_u32(z, tarn_tanh_tail_q32(z)));
  } else {
    const uint64_t t = (uint64_t)0 - tarn_exp_scale_f32(bits + 0x00800000u);
    const uint32_t y = tarn_exp2_q31((uint32_t)t) >> (0u - (uint32_t)(t >> 32));
    m = tarn_mulhi_u32(0x80000000u - y, tarn_recip_q32(0x80000000u + y)) << 1;
    b = 125u;
  }
  if (m < 0x80000000u) {
    m <<= 1;
    b -= 1u;
  }
  return tarn_f32_round_normal(sign, b, m);
}
#endif
