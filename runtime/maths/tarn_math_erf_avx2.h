/* tarn_math_erf_avx2.h - erf of many floats: x + x p(x^2) below 1; 1 - e^-s(|x| - 1) above, and 1 from 3.95 on. */
#ifndef TARN_MATH_ERF_AVX2_H
#define TARN_MATH_ERF_AVX2_H

#include "tarn_math_avx2.h"

#if TARN_USE_ASM && defined(__AVX2__) && defined(__FMA__) && !defined(TARN_USE_LIBM)

TARN_FORCE_INLINE __m256 tarn_avx2_erf(__m256 x) {
  const __m256 one = tarn_avx2_all(1.0f);
  const __m256 sign = tarn_avx2_sign(x);
  const __m256 size = _mm256_xor_ps(x, sign);
  const __m256 z = _mm256_mul_ps(x, x);
  const __m256 w = _mm256_sub_ps(_mm256_min_ps(tarn_avx2_all(3.95f), size), one); /* NaN stays NaN */
  __m256 p = tarn_avx2_horner(-0x1.a3f6f0p-11f, tarn_avx2_all(0x1.496a02p-14f), z);
  __m256 s = tarn_avx2_horner(0x1.df8f1cp-10f, tarn_avx2_all(-0x1.86dc3cp-13f), w);
  p = tarn_avx2_horner(0x1.5405b0p-8f, p, z);
  p = tarn_avx2_horner(-0x1.b7f90cp-6f, p, z);
  p = tarn_avx2_horner(0x1.ce2cf8p-4f, p, z);
  p = tarn_avx2_horner(-0x1.81273ep-2f, p, z);
  p = tarn_avx2_horner(0x1.06eba8p-3f, p, z);
  s = tarn_avx2_horner(-0x1.444102p-7f, s, w);
  s = tarn_avx2_horner(0x1.53ff20p-5f, s, w);
  s = tarn_avx2_horner(0x1.afad1cp-1f, s, w);
  s = tarn_avx2_horner(0x1.51c9aap+1f, s, w);
  s = tarn_avx2_horner(0x1.d97fc0p+0f, s, w);
  s = _mm256_sub_ps(one, tarn_avx2_exp(_mm256_xor_ps(s, tarn_avx2_all(-0.0f))));
  return _mm256_or_ps(sign, _mm256_blendv_ps(s, _mm256_fmadd_ps(x, p, x), _mm256_cmp_ps(size, one, _CMP_LT_OQ)));
}

TARN_MATH_AVX2_MANY(tarn_erf_many, tarn_avx2_erf)

#endif
#endif /* TARN_MATH_ERF_AVX2_H */
