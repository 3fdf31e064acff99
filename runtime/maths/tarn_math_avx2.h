/* tarn_math_avx2.h - what exp, sigmoid, tanh and erf of eight floats at a time share, with AVX2 and fused multiply-adds. They are
 * computed in floats, not in fixed point as those of one float are: at most 2.5 units in the last place from the true value, where the
 * others are within one. Infinities, NaNs and subnormal results are as there, and so is the sign of zero. */
#ifndef TARN_MATH_AVX2_H
#define TARN_MATH_AVX2_H

#include "tarn.h"

/* Kernels written for float ask for this; their texts for other types find another name. */
#if TARN_USE_ASM && defined(__AVX2__) && defined(__FMA__) && !defined(TARN_USE_LIBM)
#define TARN_MANY_F32 1

#include <immintrin.h>
#include <string.h>

/* Not known to be a constant any more, it is loaded before a loop and kept. */
TARN_FORCE_INLINE __m256 tarn_avx2_all(float v) {
  __m256 all = _mm256_set1_ps(v);
  __asm__("" : "+x"(all));
  return all;
}

/* All bits of the first n lanes; of all where n is 8 or more. */
TARN_FORCE_INLINE __m256i tarn_avx2_first(int32_t n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

TARN_FORCE_INLINE float tarn_avx2_sum(__m256 v) {
  __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  s = _mm_add_ps(s, _mm_movehl_ps(s, s));
  return _mm_cvtss_f32(_mm_add_ss(s, _mm_shuffle_ps(s, s, 1)));
}

/* c + a * b. */
TARN_FORCE_INLINE __m256 tarn_avx2_horner(float c, __m256 a, __m256 b) { return _mm256_fmadd_ps(a, b, tarn_avx2_all(c)); }

TARN_FORCE_INLINE __m256 tarn_avx2_sign(__m256 x) { return _mm256_and_ps(x, tarn_avx2_all(-0.0f)); }

/* e^x = 2^n e^r, |r| <= ln 2 / 2; *n is the sum whose lowest bits are n. */
TARN_FORCE_INLINE __m256 tarn_avx2_exp_parts(__m256 x, __m256 *n) {
  const __m256 magic = tarn_avx2_all(12582912.0f); /* 1.5 * 2^23: the lowest bits of a sum with it are the nearest integer */
  const __m256 t = _mm256_fmadd_ps(x, tarn_avx2_all(0x1.715476p+0f), magic);
  const __m256 whole = _mm256_sub_ps(t, magic);
  const __m256 r = _mm256_fnmadd_ps(whole, tarn_avx2_all(-0x1.05c610p-29f), _mm256_fnmadd_ps(whole, tarn_avx2_all(0x1.62e430p-1f), x));
  __m256 q = tarn_avx2_horner(0x1.1239d4p-7f, tarn_avx2_all(0x1.6a247ep-10f), r); /* e^r = 1 + r + r^2 q(r) */
  q = tarn_avx2_horner(0x1.5558f0p-5f, q, r);
  q = tarn_avx2_horner(0x1.555492p-3f, q, r);
  q = tarn_avx2_horner(0x1.fffffcp-2f, q, r);
  *n = t;
  return _mm256_add_ps(_mm256_fmadd_ps(_mm256_mul_ps(r, r), q, r), tarn_avx2_all(1.0f));
}

/* The power of two comes in two factors, as it may lie outside the normal numbers: beyond the bounds of x the result is 0 or infinity.
 * Of two numbers of which one is NaN the second is taken. */
TARN_FORCE_INLINE __m256 tarn_avx2_exp(__m256 x) {
  __m256 n;
  const __m256 e = tarn_avx2_exp_parts(_mm256_max_ps(tarn_avx2_all(-104.0f), _mm256_min_ps(tarn_avx2_all(89.0f), x)), &n);
  const __m256i whole = _mm256_sub_epi32(_mm256_castps_si256(n), _mm256_castps_si256(tarn_avx2_all(12582912.0f)));
  const __m256i half = _mm256_srai_epi32(whole, 1);
  const __m256i one = _mm256_castps_si256(tarn_avx2_all(1.0f));
  const __m256 low = _mm256_castsi256_ps(_mm256_add_epi32(_mm256_slli_epi32(half, 23), one));
  const __m256 high = _mm256_castsi256_ps(_mm256_add_epi32(_mm256_slli_epi32(_mm256_sub_epi32(whole, half), 23), one));
  return _mm256_mul_ps(_mm256_mul_ps(e, low), high);
}

/* e^x for x of at most 0 in sums that begin with 1: numbers below 2^-125 are 0. */
TARN_FORCE_INLINE __m256 tarn_avx2_exp_share(__m256 x) {
  __m256 n;
  const __m256 e = tarn_avx2_exp_parts(x, &n);
  const __m256i power = _mm256_slli_epi32(_mm256_castps_si256(n), 23);
  const __m256 gone = _mm256_cmp_ps(x, tarn_avx2_all(-0x1.5a92d6p+6f), _CMP_LT_OQ); /* -125 ln 2 */
  return _mm256_andnot_ps(gone, _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(e), power)));
}

/* n numbers become NAME of them. */
#define TARN_MATH_AVX2_MANY(NAME, LANES)                                                              \
    TARN_INLINE void NAME(float *v, int32_t n) {                                                      \
        int32_t i;                                                                                    \
        for (i = 0; i <= (n - 8); i += 8) {                                                           \
            _mm256_storeu_ps(v + i, LANES(_mm256_loadu_ps(v + i)));                                   \
        }                                                                                             \
        if (i < n) {                                                                                  \
            float some[8] = {0, 0, 0, 0, 0, 0, 0, 0};                                                 \
            const size_t bytes = (size_t)(n - i) * sizeof *v;                                         \
            memcpy(some, v + i, bytes);                                                               \
            _mm256_storeu_ps(some, LANES(_mm256_loadu_ps(some)));                                     \
            memcpy(v + i, some, bytes);                                                               \
        }                                                                                             \
    }

#endif
#endif /* TARN_MATH_AVX2_H */
