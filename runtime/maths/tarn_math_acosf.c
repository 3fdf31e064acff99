/* tarn_math_acosf.c - pi/2 - asin(x) up to 1/2; 2 asin(sqrt((1 - x) / 2)) above, or pi minus that of -x. */
#include "tarn_math_acosf.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_acosf(float x) { return acosf(x); }
#else
#include "tarn_math_asin_q32.h"

TARN_API float tarn_acosf(float x) {
  const uint32_t sign = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  uint32_t m = (bits << 8) | 0x80000000u;
  uint32_t b = (bits >> 23) - 1u;
  uint32_t shift;

  if (bits >= TARN_F32_ONE) {
    if (bits > TARN_F32_ONE) {
      return tarn_f32_from_bits(TARN_F32_NAN);
    }
    return tarn_f32_from_bits((sign != 0u) ? 0x40490fdbu : 0u); /* pi */
  }
  if (bits < 0x3f000000u) {
    m = (bits < 0x32000000u) ? 0u : (tarn_asin_parts_f32(b, m) >> (126u - b)); /* Q30 */
    m = (sign != 0u) ? (0x6487ed51u + m) : (0x6487ed51u - m);                    /* pi/2 in Q30 */
    b = 127u;
  } else {
    m = tarn_asin_root_f32((0u - m) >> 1, &shift);
    b = 127u - shift;
    if (sign != 0u) {
      m = 0xc90fdaa2u - (m >> shift); /* pi in Q30 */
      b = 127u;
    }
  }
  if (m < 0x80000000u) {
    m <<= 1;
    b -= 1u;
  }
  return tarn_f32_round_normal(0u, b, m);
}
#endif
