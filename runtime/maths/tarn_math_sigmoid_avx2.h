/* tarn_math_sigmoid_avx2.h - eight times tarn_sigmoidf(). */
#ifndef TARN_MATH_SIGMOID_AVX2_H
#define TARN_MATH_SIGMOID_AVX2_H

#include "tarn_math_avx2.h"
#include "tarn_math_sigmoidf.h"

#if TARN_USE_ASM && defined(__AVX2__) && !defined(TARN_USE_LIBM)

/* *good: lanes that are right. */
TARN_FORCE_INLINE __m256i tarn_avx2_sigmoid(__m256i x, __m256i *good) {
  const __m256i bits = _mm256_and_si256(x, tarn_avx2_all(0x7fffffffu));
  const __m256i zero = _mm256_setzero_si256();
  const __m256i tiny = _mm256_cmpgt_epi32(tarn_avx2_all(0x33800000u), bits);
  __m256i f;
  __m256i k = tarn_avx2_exp_scale(bits, &f);
  __m256i p;
  __m256i r;
  __m256i b;
  __m256i y;
  k = _mm256_sub_epi32(zero, tarn_avx2_negate(k, &f));
  p = tarn_avx2_exp2_q31(f);
  r = tarn_avx2_recip_q32(_mm256_add_epi32(tarn_avx2_all(0x80000000u), _mm256_srlv_epi32(p, k)));
  p = tarn_avx2_mulhi_u32(r, p);
  b = _mm256_sub_epi32(tarn_avx2_all(126u), k);
  tarn_avx2_normalise(&p, &b);
  y = _mm256_blendv_epi8(tarn_avx2_round(zero, tarn_avx2_all(125u), r), tarn_avx2_round(zero, b, p), _mm256_srai_epi32(x, 31));
  *good = _mm256_or_si256(tiny, tarn_avx2_between(bits, 0x33800000u, 0x42ac0000u));
  return _mm256_blendv_epi8(y, tarn_avx2_all(0x3f000000u), tiny);
}

TARN_MATH_AVX2_MANY(tarn_sigmoid_many, tarn_avx2_sigmoid, tarn_sigmoidf)

#endif
#endif /* TARN_MATH_SIGMOID_AVX2_H */
