/* tarn_math_exp_avx2.h - eight times tarn_expf(). */
#ifndef TARN_MATH_EXP_AVX2_H
#define TARN_MATH_EXP_AVX2_H

#include "tarn_math_avx2.h"
#include "tarn_math_expf.h"

#if TARN_USE_ASM && defined(__AVX2__) && !defined(TARN_USE_LIBM)

/* *good: lanes that are right. */
TARN_FORCE_INLINE __m256i tarn_avx2_exp(__m256i x, __m256i *good) {
  const __m256i bits = _mm256_and_si256(x, tarn_avx2_all(0x7fffffffu));
  const __m256i one = tarn_avx2_all(0x3f800000u);
  const __m256i tiny = _mm256_cmpgt_epi32(tarn_avx2_all(0x32800000u), bits);
  const __m256i gone = _mm256_and_si256(_mm256_srai_epi32(x, 31), tarn_avx2_between(bits, 0x42cff1b6u, 0x7f800001u));
  __m256i f;
  __m256i n = tarn_avx2_exp_scale(bits, &f);
  __m256i f_less = f;
  const __m256i n_less = tarn_avx2_negate(n, &f_less);
  __m256i y;
  n = _mm256_blendv_epi8(n, n_less, _mm256_srai_epi32(x, 31));
  f = _mm256_blendv_epi8(f, f_less, _mm256_srai_epi32(x, 31));
  y = tarn_avx2_round(_mm256_setzero_si256(), _mm256_add_epi32(n, tarn_avx2_all(126u)), tarn_avx2_exp2_q31(f));
  y = _mm256_andnot_si256(gone, _mm256_blendv_epi8(y, one, tiny));
  *good = _mm256_or_si256(_mm256_or_si256(tiny, gone), tarn_avx2_between(bits, 0x32800000u, 0x42ae0000u));
  return y;
}

TARN_MATH_AVX2_MANY(tarn_exp_many, tarn_avx2_exp, tarn_expf)

#endif
#endif /* TARN_MATH_EXP_AVX2_H */
