/* tarn_math_asinf.c - a polynomial up to 1/2; pi/2 - 2 asin(sqrt((1 - x) / 2)) above. */
#include "tarn_math_asinf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_asinf(float x) { return asinf(x); }
#else
#include "tarn_math_asin_q32.h"

TARN_API float tarn_asinf(float x) {
  const uint32_t sign = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t m = (bits << 8) | 0x80000000u;
  uint32_t b = (bits >> 23) - 1u;

  if (bits < 0x39800000u) { /* 2^-12: the result rounds to x */
    return x;
  }
  if (bits >= TARN_F32_ONE) {
    return tarn_f32_from_bits(bits > TARN_F32_ONE ? TARN_F32_NAN : (sign | 0x3fc90fdbu)); /* pi/2 */
  }
  if (bits <= 0x3f000000u) {
    m = tarn_asin_parts_f32(b, m);
    b += 1u;
  } else {
    uint32_t shift;
    m = tarn_asin_root_f32((0u - m) >> 1, &shift);
    m = 0xc90fdaa2u - (m >> (shift - 1u)); /* pi/2 in Q31 */
    b = 126u;
  }
  if (m < 0x80000000u) {
    m <<= 1;
    b -= 1u;
  }
  return tarn_f32_round_normal(sign, b, m);
}
#endif
