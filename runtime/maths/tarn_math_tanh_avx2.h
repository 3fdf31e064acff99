/* tarn_math_tanh_avx2.h - tanh of many floats: x + x z t(z), z = x^2, below 5/8; 1 - 2 / (1 + e^2|x|) above. */
#ifndef TARN_MATH_TANH_AVX2_H
#define TARN_MATH_TANH_AVX2_H

#include "tarn_math_avx2.h"

#if TARN_USE_ASM && defined(__AVX2__) && defined(__FMA__) && !defined(TARN_USE_LIBM)

TARN_FORCE_INLINE __m256 tarn_avx2_tanh(__m256 x) {
  const __m256 one = tarn_avx2_all(1.0f);
  const __m256 sign = tarn_avx2_sign(x);
  const __m256 size = _mm256_xor_ps(x, sign);
  const __m256 z = _mm256_mul_ps(x, x);
  const __m256 e = tarn_avx2_exp(_mm256_add_ps(size, size));
  const __m256 high = _mm256_sub_ps(one, _mm256_div_ps(tarn_avx2_all(2.0f), _mm256_add_ps(one, e)));
  __m256 t = tarn_avx2_horner(0x1.522696p-6f, tarn_avx2_all(-0x1.75e1a8p-8f), z);
  t = tarn_avx2_horner(-0x1.b83c5ap-5f, t, z);
  t = tarn_avx2_horner(0x1.110726p-3f, t, z);
  t = tarn_avx2_horner(-0x1.555532p-2f, t, z);
  t = _mm256_fmadd_ps(_mm256_mul_ps(z, t), x, x);
  return _mm256_or_ps(sign, _mm256_blendv_ps(high, t, _mm256_cmp_ps(size, tarn_avx2_all(0.625f), _CMP_LT_OQ)));
}

TARN_MATH_AVX2_MANY(tarn_tanh_many, tarn_avx2_tanh)

#endif
#endif /* TARN_MATH_TANH_AVX2_H */
