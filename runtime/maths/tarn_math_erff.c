/* tarn_math_erff.c - x p(x^2) below 1; 1 - erfc(x) above, erfc as a power of two with a polynomial exponent. */
#include "tarn_math_erff.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_erff(float x) { return erff(x); }
#else
#include "tarn_math_erf_q31.h"

TARN_API float tarn_erff(float x) {
  const uint32_t sign = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t b;
  uint32_t m;

  if (bits >= 0x407ccccdu) { /* 3.95: the result rounds to 1 */
    return tarn_f32_from_bits(bits > TARN_F32_INF ? TARN_F32_NAN : sign | TARN_F32_ONE);
  }
  if (bits >= TARN_F32_ONE) {
    return tarn_f32_round_normal(sign, 125u, (0x80000000u - tarn_erf_tail_q31(bits)) << 1);
  }
  if (bits == 0u) {
    return x;
  }
  m = tarn_f32_split(bits, &b);
  m = tarn_mulhi_u32(m, tarn_erf_slope_q31((bits < 0x39000000u) ? 0u : tarn_square_q32(b, m)));
  b += 1u;
  while (m < 0x80000000u) { /* at most twice */
    m <<= 1;
    b -= 1u;
  }
  return tarn_f32_round(sign, b, m);
}
#endif
