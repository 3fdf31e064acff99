/* tarn_math_asin_q32.h - what asinf and acosf share. */
#ifndef TARN_MATH_ASIN_Q32_H
#define TARN_MATH_ASIN_Q32_H

#include "tarn_math_fixed.h"
#include "tarn_math_sqrt_q32.h"

/* asin(x) / x - 1 in Q32 for z = x^2 in Q32, z <= 1/4: z times a minimax polynomial of degree 4, error of asin 2^-27.6.
 */
TARN_INLINE uint32_t tarn_asin_excess_q32(uint32_t z) {
  uint32_t a = 0x0acb689au;
  a = 0x0630a17bu + tarn_mulhi_u32(a, z);
  a = 0x0ba3f22bu + tarn_mulhi_u32(a, z);
  a = 0x13301e4bu + tarn_mulhi_u32(a, z);
  a = 0x2aaab910u + tarn_mulhi_u32(a, z);
  return tarn_mulhi_u32(a, z);
}

/* asin of m * 2^(b-157), at most 1/2, as returned * 2^(b-156). */
TARN_INLINE uint32_t tarn_asin_parts_f32(uint32_t b, uint32_t m) {
  const uint32_t z = (b < 110u) ? 0u : tarn_square_q32(b, m);
  return (m >> 1) + (tarn_mulhi_u32(m, tarn_asin_excess_q32(z)) >> 1);
}

/* asin(sqrt(z)), z in Q32, 0 < z <= 1/4, as returned * 2^(-31 - *shift). */
TARN_INLINE uint32_t tarn_asin_root_f32(uint32_t z, uint32_t* shift) {
  uint32_t root;
  *shift = tarn_clz_u32(z) >> 1;
  root = tarn_sqrt_q32(z << (*shift * 2u));
  return (root >> 1) + (tarn_mulhi_u32(root, tarn_asin_excess_q32(z)) >> 1);
}

#endif /* TARN_MATH_ASIN_Q32_H */
