/* tarn_math_erf_q31.h - the polynomials that erff and erfcf share. */
#ifndef TARN_MATH_ERF_Q31_H
#define TARN_MATH_ERF_Q31_H

#include "tarn_math_exp2_q31.h"

/* erf(x) / x in Q31 for z = x^2 in Q32, z < 1: minimax of degree 6, relative error 2^-29.6. */
TARN_INLINE uint32_t tarn_erf_slope_q31(uint32_t z) {
  uint32_t p = 0x000292d4u;
  p = 0x001a3f6fu - tarn_mulhi_u32(p, z);
  p = 0x00aa02d8u - tarn_mulhi_u32(p, z);
  p = 0x036ff21au - tarn_mulhi_u32(p, z);
  p = 0x0e7167bau - tarn_mulhi_u32(p, z);
  p = 0x3024e7bdu - tarn_mulhi_u32(p, z);
  return 0x906eba7fu - tarn_mulhi_u32(p, z);
}

/* 1 - erf(x) in Q31 for the positive float x with these bits, 1 <= x < 3.95: 2^-t with t = -log2(erfc(x)) a minimax
 * polynomial of degree 6 in (x - 1) / 4, absolute error 2^-29.8. */
TARN_INLINE uint32_t tarn_erf_tail_q31(uint32_t bits) {
  const uint32_t x = (((bits << 8) | 0x80000000u) >> (128u - (bits >> 23))); /* Q30 */
  const uint32_t w = x - 0x40000000u;                                        /* (x - 1) / 4 in Q32 */
  uint32_t t = 0x0467c8cdu;                                                  /* Q26 */
  t = 0x0acf6e01u - tarn_mulhi_u32(t, w);
  t = 0x0e9e6570u - tarn_mulhi_u32(t, w);
  t = 0x0f541749u - tarn_mulhi_u32(t, w);
  t = 0x4dd8de4du + tarn_mulhi_u32(t, w);
  t = 0x3cea642au + tarn_mulhi_u32(t, w);
  t = 0u - (0x0aac756eu + tarn_mulhi_u32(t, w));
  return tarn_exp2_q31(t << 6) >> (64u - (t >> 26));
}

#endif /* TARN_MATH_ERF_Q31_H */
