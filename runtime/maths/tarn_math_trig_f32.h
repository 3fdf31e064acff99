/* tarn_math_trig_f32.h - what sinf, cosf and tanf share: reduction to [-pi/4, pi/4] and the two polynomials there. */
#ifndef TARN_MATH_TRIG_F32_H
#define TARN_MATH_TRIG_F32_H

#include "tarn_math_fixed.h"

#define TARN_PI_4_F32 0x3f490fdbu

TARN_BEGIN_C
/* For the positive finite float x with these bits, 1/2 <= x: x = q pi/2 + r, |r| <= pi/4. Returns q mod 4, plus 4 when
 * r is negative; |r| = *m * 2^(*b-157), 2^31 <= *m. */
TARN_API uint32_t tarn_trig_reduce_f32(uint32_t bits, uint32_t* b, uint32_t* m);
TARN_END_C

/* r^2 in Q32 for r = m * 2^(b-157), r <= pi/4; 0 when it is below 2^-24. */
TARN_INLINE uint32_t tarn_trig_square_q32(uint32_t b, uint32_t m) {
  return ((b - 114u) > 11u) ? 0u : tarn_square_q32(b, m);
}

/* (1 - sin(r) / r) in Q32 for z = r^2 in Q32: z times a minimax polynomial of degree 3, error of the sine 2^-37. */
TARN_INLINE uint32_t tarn_sin_deficit_q32(uint32_t z) {
  uint32_t s = 0x00002d9au;
  s = 0x000d007cu - tarn_mulhi_u32(s, z);
  s = 0x02222211u - tarn_mulhi_u32(s, z);
  s = 0x2aaaaaaau - tarn_mulhi_u32(s, z);
  return tarn_mulhi_u32(s, z);
}

/* 1 - cos(r) in Q32, in the same way; error of the cosine 2^-33.9. */
TARN_INLINE uint32_t tarn_cos_deficit_q32(uint32_t z) {
  uint32_t c = 0x00019917u;
  c = 0x005b01fcu - tarn_mulhi_u32(c, z);
  c = 0x0aaaa9e4u - tarn_mulhi_u32(c, z);
  c = 0x7ffffff3u - tarn_mulhi_u32(c, z);
  return tarn_mulhi_u32(c, z);
}

/* The parts of sin(r), r = m * 2^(*b-157), 0 < r <= pi/4. */
TARN_INLINE uint32_t tarn_sin_parts_f32(uint32_t* b, uint32_t m) {
  uint32_t m_now = m;
  m_now -= tarn_mulhi_u32(m_now, tarn_sin_deficit_q32(tarn_trig_square_q32(*b, m_now)));
  if (m_now < 0x80000000u) {
    m_now <<= 1;
    *b -= 1u;
  }
  return m_now;
}

/* cos(r) in Q32, at most 2^32 - 1. */
TARN_INLINE uint32_t tarn_cos_q32(uint32_t b, uint32_t m) { return ~tarn_cos_deficit_q32(tarn_trig_square_q32(b, m)); }

#endif /* TARN_MATH_TRIG_F32_H */
