/* tarn_math_atan2f.c - the arc tangent of the smaller coordinate over the larger, placed in its octant. */
#include "tarn_math_atan2f.h"

#ifdef TARN_USE_LIBM
#include <math.h>
TARN_API float tarn_atan2f(float y, float x) { return atan2f(y, x); }
#else
#include "tarn_math_atan_q32.h"

/* When a coordinate is 0 or infinite the angle is a multiple of pi/4: which, for |y| and x. */
static float tarn_atan2f_exact(uint32_t y_bits, uint32_t x_bits, uint32_t x_negative) {
  if (y_bits == TARN_F32_INF && x_bits == TARN_F32_INF) {
    return tarn_f32_from_bits((x_negative != 0u) ? 0x4016cbe4u : 0x3f490fdbu); /* 3 pi/4, pi/4 */
  }
  if ((y_bits == 0u) || x_bits == TARN_F32_INF) {
    return tarn_f32_from_bits((x_negative != 0u) ? 0x40490fdbu : 0u); /* pi */
  }
  return tarn_f32_from_bits(0x3fc90fdbu); /* pi/2 */
}

TARN_API float tarn_atan2f(float y, float x) {
  const uint32_t sign = tarn_f32_to_bits(y) & TARN_F32_SIGN;
  const uint32_t x_negative = tarn_f32_to_bits(x) & TARN_F32_SIGN;
  const uint32_t y_bits = tarn_f32_to_bits(y) & ~TARN_F32_SIGN;
  const uint32_t x_bits = tarn_f32_to_bits(x) & ~TARN_F32_SIGN;
  const uint32_t steep = (y_bits > x_bits) ? 1u : 0u; /* closer to the y axis */
  uint32_t b;
  uint32_t m;
  uint32_t large_b;
  uint32_t large_m;

  if (y_bits > TARN_F32_INF || x_bits > TARN_F32_INF) {
    return tarn_f32_from_bits(TARN_F32_NAN);
  }
  if ((y_bits == 0u) || (x_bits == 0u) || y_bits == TARN_F32_INF || x_bits == TARN_F32_INF) {
    return tarn_f32_from_bits(sign | tarn_f32_to_bits(tarn_atan2f_exact(y_bits, x_bits, x_negative)));
  }
  m = tarn_f32_split((steep != 0u) ? x_bits : y_bits, &b);
  large_m = tarn_f32_split((steep != 0u) ? y_bits : x_bits, &large_b);
  m = tarn_mulhi_u32(m, tarn_recip_q32(large_m));
  b += 126u - large_b;
  if (m < 0x80000000u) {
    m <<= 1;
    b -= 1u;
  } else if (b == 126u) { /* equal coordinates; the polynomial wants less than 1 */
    m = 0xffffffffu;
    b = 125u;
  } else {
    /* in range as it is */
  }
  m = tarn_atan_parts_f32(b, m);
  if ((steep != 0u) || (x_negative != 0u)) {
    const uint32_t base = (steep != 0u) ? 0x6487ed51u : 0xc90fdaa2u; /* pi/2, pi in Q30 */
    m = ((127u - b) < 32u) ? (m >> (127u - b)) : 0u;
    m = ((steep != 0u) && (x_negative != 0u)) ? (base + m) : (base - m);
    b = 127u;
  }
  while (m < 0x80000000u) { /* at most twice */
    m <<= 1;
    b -= 1u;
  }
  return tarn_f32_round(sign, b, m);
}
#endif
