/* SPDX-License-Identifier: MIT-0
 * Sums and scales of one line of a normalisation for eight numbers at a time with AVX2 and fused multiply-adds. */
#ifndef TARN_NORM_AVX2_H
#define TARN_NORM_AVX2_H

#include "tarn_math_avx2.h"

#if defined(TARN_MANY_F32)

/* The sum of n numbers. */
TARN_INLINE float tarn_norm_avx2_sum(const float *x, int32_t n)
{
    __m256 sum = _mm256_setzero_ps();
    int32_t i;
    for (i = 0; i <= (n - 8); i += 8) {
        sum = _mm256_add_ps(sum, _mm256_loadu_ps(x + i));
    }
    if (i < n) {
        sum = _mm256_add_ps(sum, _mm256_maskload_ps(x + i, tarn_avx2_first(n - i)));
    }
    return tarn_avx2_sum(sum);
}

/* The sum of the squares of their distances from a number. */
TARN_INLINE float tarn_norm_avx2_squares(const float *x, int32_t n, float from)
{
    const __m256 centre = _mm256_set1_ps(from);
    __m256 sum = _mm256_setzero_ps();
    int32_t i;
    for (i = 0; i <= (n - 8); i += 8) {
        const __m256 d = _mm256_sub_ps(_mm256_loadu_ps(x + i), centre);
        sum = _mm256_fmadd_ps(d, d, sum);
    }
    if (i < n) {
        const __m256i there = tarn_avx2_first(n - i);
        const __m256 d = _mm256_and_ps(_mm256_castsi256_ps(there), _mm256_sub_ps(_mm256_maskload_ps(x + i, there), centre));
        sum = _mm256_fmadd_ps(d, d, sum);
    }
    return tarn_avx2_sum(sum);
}

/* y = (x - from) * factor * scale + bias. scale, bias: n of them, or NULL. */
TARN_INLINE void tarn_norm_avx2_line(const float *x, int32_t n, float from, float factor, const float *scale, const float *bias, float *y)
{
    const __m256 centre = _mm256_set1_ps(from);
    const __m256 all = _mm256_set1_ps(factor);
    int32_t i;
    for (i = 0; i < n; i += 8) {
        const __m256i there = tarn_avx2_first(n - i);
        __m256 v = _mm256_mul_ps(_mm256_sub_ps(_mm256_maskload_ps(x + i, there), centre), all);
        if (scale != NULL) {
            v = _mm256_mul_ps(v, _mm256_maskload_ps(scale + i, there));
        }
        if (bias != NULL) {
            v = _mm256_add_ps(v, _mm256_maskload_ps(bias + i, there));
        }
        _mm256_maskstore_ps(y + i, there, v);
    }
}

#endif
#endif
