/* tarn_math_sigmoid_avx2.h - sigmoid of many floats: with y = e^-|x|, 1 / (1 + y), or y / (1 + y) for negative x. */
#ifndef TARN_MATH_SIGMOID_AVX2_H
#define TARN_MATH_SIGMOID_AVX2_H

#include "tarn_math_avx2.h"

#if TARN_USE_ASM && defined(__AVX2__) && defined(__FMA__) && !defined(TARN_USE_LIBM)

TARN_FORCE_INLINE __m256 tarn_avx2_sigmoid(__m256 x) {
  const __m256 one = tarn_avx2_all(1.0f);
  const __m256 y = tarn_avx2_exp(_mm256_or_ps(x, tarn_avx2_all(-0.0f)));
  return _mm256_div_ps(_mm256_blendv_ps(one, y, x), _mm256_add_ps(one, y));
}

TARN_MATH_AVX2_MANY(tarn_sigmoid_many, tarn_avx2_sigmoid)

#endif
#endif /* TARN_MATH_SIGMOID_AVX2_H */
