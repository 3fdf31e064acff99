/* tarn_math_erf_avx2.h - eight times tarn_erff(). */
#ifndef TARN_MATH_ERF_AVX2_H
#define TARN_MATH_ERF_AVX2_H

#include "tarn_math_avx2.h"
#include "tarn_math_erff.h"

#if TARN_USE_ASM && defined(__AVX2__) && !defined(TARN_USE_LIBM)

/* *good: lanes that are right. */
TARN_FORCE_INLINE __m256i tarn_avx2_erf(__m256i x, __m256i *good) {
  const __m256i bits = _mm256_and_si256(x, tarn_avx2_all(0x7fffffffu));
  const __m256i sign = _mm256_and_si256(x, tarn_avx2_all(0x80000000u));
  const __m256i low = _mm256_cmpgt_epi32(tarn_avx2_all(0x3f800000u), bits);
  const __m256i full = tarn_avx2_between(bits, 0x407ccccdu, 0x7f800001u);
  const __m256i whole = _mm256_or_si256(_mm256_slli_epi32(bits, 8), tarn_avx2_all(0x80000000u));
  __m256i b = _mm256_sub_epi32(_mm256_srli_epi32(bits, 23), tarn_avx2_all(1u));
  const __m256i z = _mm256_andnot_si256(_mm256_cmpgt_epi32(tarn_avx2_all(0x39000000u), bits),
                                        _mm256_srlv_epi32(tarn_avx2_mulhi_u32(whole, whole),
                                                          _mm256_sub_epi32(tarn_avx2_all(250u), _mm256_add_epi32(b, b))));
  const __m256i w = _mm256_sub_epi32(_mm256_srlv_epi32(whole, _mm256_sub_epi32(tarn_avx2_all(128u), _mm256_srli_epi32(bits, 23))),
                                     tarn_avx2_all(0x40000000u));
  __m256i p = tarn_avx2_horner_less(0x001a3f6fu, tarn_avx2_all(0x000292d4u), z);
  __m256i t = tarn_avx2_horner_less(0x0acf6e01u, tarn_avx2_all(0x0467c8cdu), w);
  __m256i m;
  p = tarn_avx2_horner_less(0x00aa02d8u, p, z);
  p = tarn_avx2_horner_less(0x036ff21au, p, z);
  p = tarn_avx2_horner_less(0x0e7167bau, p, z);
  p = tarn_avx2_horner_less(0x3024e7bdu, p, z);
  p = tarn_avx2_horner_less(0x906eba7fu, p, z);
  t = tarn_avx2_horner_less(0x0e9e6570u, t, w);
  t = tarn_avx2_horner_less(0x0f541749u, t, w);
  t = tarn_avx2_horner(0x4dd8de4du, t, w);
  t = tarn_avx2_horner(0x3cea642au, t, w);
  t = _mm256_sub_epi32(_mm256_setzero_si256(), tarn_avx2_horner(0x0aac756eu, t, w));
  t = _mm256_srlv_epi32(tarn_avx2_exp2_q31(_mm256_slli_epi32(t, 6)), _mm256_sub_epi32(tarn_avx2_all(64u), _mm256_srli_epi32(t, 26)));
  t = _mm256_slli_epi32(_mm256_sub_epi32(tarn_avx2_all(0x80000000u), t), 1);
  m = tarn_avx2_mulhi_u32(whole, p);
  b = _mm256_add_epi32(b, tarn_avx2_all(1u));
  tarn_avx2_normalise(&m, &b);
  tarn_avx2_normalise(&m, &b);
  m = _mm256_blendv_epi8(tarn_avx2_round(sign, tarn_avx2_all(125u), t), tarn_avx2_round(sign, b, m), low);
  *good = _mm256_andnot_si256(_mm256_cmpgt_epi32(tarn_avx2_all(0x01000000u), bits), _mm256_cmpgt_epi32(tarn_avx2_all(0x7f800001u), bits));
  return _mm256_blendv_epi8(m, _mm256_or_si256(sign, tarn_avx2_all(0x3f800000u)), full);
}

TARN_MATH_AVX2_MANY(tarn_erf_many, tarn_avx2_erf, tarn_erff)

#endif
#endif /* TARN_MATH_ERF_AVX2_H */
