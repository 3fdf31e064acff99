/* tarn_math_coshf.c - (e^x + e^-x) / 2 in fixed point. */
#include "tarn_math_coshf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_coshf(float x) { return coshf(x); }
#else
#include "tarn_math_exp2_q31.h"
#include "tarn_math_recip_q32.h"

TARN_API float tarn_coshf(float x) {
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint64_t t;
  uint32_t n;
  uint32_t p;
  uint32_t m;
  uint32_t b;

  if (bits < 0x39800000u) { /* 2^-12: the result rounds to 1 */
    return 1.0f;
  }
  if (bits >= 0x42b40000u) { /* 90: overflow */
    return tarn_f32_from_bits(bits > TARN_F32_INF ? TARN_F32_NAN : TARN_F32_INF);
  }
  t = tarn_exp_scale_f32(bits);
  n = (uint32_t)(t >> 32);
  p = tarn_exp2_q31((uint32_t)t);
  m = (p >> 1) + ((n < 15u) ? (tarn_recip_q32(p) >> (2u + (2u * n))) : 0u); /* cosh(x) 2^(1-n) in Q30 */
  b = 126u + n;
  if (m < 0x80000000u) {
    m <<= 1;
    b -= 1u;
  }
  return tarn_f32_round(0u, b, m);
}
#endif
