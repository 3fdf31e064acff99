/* tarn_math_atan_q32.h - what atanf and atan2f share. */
#ifndef TARN_MATH_ATAN_Q32_H
#define TARN_MATH_ATAN_Q32_H

#include "tarn_math_fixed.h"
#include "tarn_math_recip_q32.h"

/* atan of t = m * 2^(b-157), 0 < t < 1, as returned * 2^(b-157): t (1 - z a(z)), z = t^2, with a minimax polynomial of
 * degree 8, relative error 2^-28.5. Negative b are two's complement. */
TARN_INLINE uint32_t tarn_atan_parts_f32(uint32_t b, uint32_t m) {
  const uint32_t z = ((b - 110u) > 15u) ? 0u : tarn_square_q32(b, m);
  uint32_t a = 0x00758cb2u;
  a = 0x02cb500au - tarn_mulhi_u32(a, z);
  a = 0x07fb4bfdu - tarn_mulhi_u32(a, z);
  a = 0x0ed65603u - tarn_mulhi_u32(a, z);
  a = 0x15834d5bu - tarn_mulhi_u32(a, z);
  a = 0x1c09a178u - tarn_mulhi_u32(a, z);
  a = 0x248436f8u - tarn_mulhi_u32(a, z);
  a = 0x33323fadu - tarn_mulhi_u32(a, z);
  a = 0x55554f97u - tarn_mulhi_u32(a, z);
  return m - tarn_mulhi_u32(m, tarn_mulhi_u32(a, z));
}

#endif /* TARN_MATH_ATAN_Q32_H */
