/* tarn_math_tanh_avx2.h - eight times tarn_tanhf(). */
#ifndef TARN_MATH_TANH_AVX2_H
#define TARN_MATH_TANH_AVX2_H

#include "tarn_math_avx2.h"
#include "tarn_math_tanhf.h"

#if TARN_USE_ASM && defined(__AVX2__) && !defined(TARN_USE_LIBM)

/* *good: lanes that are right. */
TARN_FORCE_INLINE __m256i tarn_avx2_tanh(__m256i x, __m256i *good) {
  const __m256i bits = _mm256_and_si256(x, tarn_avx2_all(0x7fffffffu));
  const __m256i sign = _mm256_and_si256(x, tarn_avx2_all(0x80000000u));
  const __m256i low = _mm256_cmpgt_epi32(tarn_avx2_all(0x3f000000u), bits);
  const __m256i same = _mm256_cmpgt_epi32(tarn_avx2_all(0x39800000u), bits);
  const __m256i full = tarn_avx2_between(bits, 0x41200000u, 0x7f800001u);
  const __m256i whole = _mm256_or_si256(_mm256_slli_epi32(bits, 8), tarn_avx2_all(0x80000000u));
  const __m256i exponent = _mm256_sub_epi32(_mm256_srli_epi32(bits, 23), tarn_avx2_all(1u));
  const __m256i z = _mm256_srlv_epi32(tarn_avx2_mulhi_u32(whole, whole),
                                      _mm256_sub_epi32(tarn_avx2_all(250u), _mm256_add_epi32(exponent, exponent)));
  __m256i t = tarn_avx2_horner_less(0x0573c902u, tarn_avx2_all(0x01b3a651u), z);
  __m256i f;
  __m256i n;
  __m256i m;
  __m256i b;
  t = tarn_avx2_horner_less(0x0dcc565fu, t, z);
  t = tarn_avx2_horner_less(0x2221e437u, t, z);
  t = tarn_avx2_horner_less(0x55555440u, t, z);
  t = _mm256_sub_epi32(whole, tarn_avx2_mulhi_u32(whole, tarn_avx2_mulhi_u32(z, t)));
  n = tarn_avx2_exp_scale(_mm256_add_epi32(bits, tarn_avx2_all(0x00800000u)), &f);
  n = tarn_avx2_negate(n, &f);
  f = _mm256_srlv_epi32(tarn_avx2_exp2_q31(f), _mm256_sub_epi32(_mm256_setzero_si256(), n));
  m = tarn_avx2_recip_q32(_mm256_add_epi32(tarn_avx2_all(0x80000000u), f));
  m = _mm256_slli_epi32(tarn_avx2_mulhi_u32(_mm256_sub_epi32(tarn_avx2_all(0x80000000u), f), m), 1);
  m = _mm256_blendv_epi8(m, t, low);
  b = _mm256_blendv_epi8(tarn_avx2_all(125u), exponent, low);
  tarn_avx2_normalise(&m, &b);
  m = _mm256_blendv_epi8(tarn_avx2_round(sign, b, m), x, same);
  *good = _mm256_cmpgt_epi32(tarn_avx2_all(0x7f800001u), bits);
  return _mm256_blendv_epi8(m, _mm256_or_si256(sign, tarn_avx2_all(0x3f800000u)), full);
}

TARN_MATH_AVX2_MANY(tarn_tanh_many, tarn_avx2_tanh, tarn_tanhf)

#endif
#endif /* TARN_MATH_TANH_AVX2_H */
