/* SPDX-License-Identifier: MIT-0
 * Sums of products for eight times four rows of packed weights at a time with AVX2 and fused multiply-adds. */
#ifndef TARN_RECURRENT_AVX2_H
#define TARN_RECURRENT_AVX2_H

#include "tarn_math_avx2.h"

#if defined(TARN_MANY_F32)

/* Sums of eight fours of rows: 0 and 4, 1 and 5, 2 and 6, 3 and 7. */
typedef struct {
    __m256 a, b, c, d;
} tarn_recurrent_avx2_sums;

TARN_FORCE_INLINE __m256 tarn_recurrent_avx2_join(const float *low, const float *high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}

/* They begin with b: four biases of each of `fours` (at most 8 count) fours, or NULL. Those beyond the last are the last. */
TARN_FORCE_INLINE void tarn_recurrent_avx2_begin(tarn_recurrent_avx2_sums *s, const float *b, int32_t fours)
{
    const float *from[8];
    int32_t l;
    if (b == NULL) {
        s->a = _mm256_setzero_ps();
        s->b = s->a;
        s->c = s->a;
        s->d = s->a;
        return;
    }
    for (l = 0; l < 8; ++l) {
        from[l] = b + ((ptrdiff_t)4 * ((l < fours) ? l : (fours - 1)));
    }
    s->a = tarn_recurrent_avx2_join(from[0], from[4]);
    s->b = tarn_recurrent_avx2_join(from[1], from[5]);
    s->c = tarn_recurrent_avx2_join(from[2], from[6]);
    s->d = tarn_recurrent_avx2_join(from[3], from[7]);
}

/* Two floats that follow each other. */
TARN_FORCE_INLINE int64_t tarn_recurrent_avx2_two(const float *x)
{
    int64_t two;
    memcpy(&two, x, sizeof two);
    return two;
}

/* The sums of both halves of two vectors, beside each other. */
TARN_FORCE_INLINE __m256 tarn_recurrent_avx2_fold(__m256 low, __m256 high)
{
    return _mm256_add_ps(_mm256_permute2f128_ps(low, high, 0x20), _mm256_permute2f128_ps(low, high, 0x31));
}

/* Adds the products of x[n] with weights [fours][n][4], for two of n at a time. */
TARN_FORCE_INLINE void tarn_recurrent_avx2_add(tarn_recurrent_avx2_sums *s, const float *x, const float *w, int32_t n, int32_t fours)
{
    const __m256i twice = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    const float *from[8];
    __m256 s0 = _mm256_setzero_ps();
    __m256 s1 = s0;
    __m256 s2 = s0;
    __m256 s3 = s0;
    __m256 s4 = s0;
    __m256 s5 = s0;
    __m256 s6 = s0;
    __m256 s7 = s0;
    ptrdiff_t at = 0;
    int32_t l;
    int32_t k;
    for (l = 0; l < 8; ++l) {
        from[l] = w + ((ptrdiff_t)4 * n * ((l < fours) ? l : (fours - 1)));
    }
    for (k = 0; k < (n - 1); k += 2) {
        const __m256 v = _mm256_permutevar_ps(_mm256_castsi256_ps(_mm256_set1_epi64x(tarn_recurrent_avx2_two(x + k))), twice);
        s0 = _mm256_fmadd_ps(_mm256_loadu_ps(from[0] + at), v, s0);
        s1 = _mm256_fmadd_ps(_mm256_loadu_ps(from[1] + at), v, s1);
        s2 = _mm256_fmadd_ps(_mm256_loadu_ps(from[2] + at), v, s2);
        s3 = _mm256_fmadd_ps(_mm256_loadu_ps(from[3] + at), v, s3);
        s4 = _mm256_fmadd_ps(_mm256_loadu_ps(from[4] + at), v, s4);
        s5 = _mm256_fmadd_ps(_mm256_loadu_ps(from[5] + at), v, s5);
        s6 = _mm256_fmadd_ps(_mm256_loadu_ps(from[6] + at), v, s6);
        s7 = _mm256_fmadd_ps(_mm256_loadu_ps(from[7] + at), v, s7);
        at += 8;
    }
    s->a = _mm256_add_ps(s->a, tarn_recurrent_avx2_fold(s0, s4));
    s->b = _mm256_add_ps(s->b, tarn_recurrent_avx2_fold(s1, s5));
    s->c = _mm256_add_ps(s->c, tarn_recurrent_avx2_fold(s2, s6));
    s->d = _mm256_add_ps(s->d, tarn_recurrent_avx2_fold(s3, s7));
    if (k < n) {
        const __m256 v = _mm256_broadcast_ss(x + k);
        s->a = _mm256_fmadd_ps(tarn_recurrent_avx2_join(from[0] + at, from[4] + at), v, s->a);
        s->b = _mm256_fmadd_ps(tarn_recurrent_avx2_join(from[1] + at, from[5] + at), v, s->b);
        s->c = _mm256_fmadd_ps(tarn_recurrent_avx2_join(from[2] + at, from[6] + at), v, s->c);
        s->d = _mm256_fmadd_ps(tarn_recurrent_avx2_join(from[3] + at, from[7] + at), v, s->d);
    }
}

/* As tarn_recurrent_clip_f32(); NaN passes through. */
TARN_FORCE_INLINE __m256 tarn_recurrent_avx2_clip(__m256 v, float clip)
{
    return _mm256_min_ps(_mm256_set1_ps(clip), _mm256_max_ps(_mm256_set1_ps(-clip), v));
}

/* The sums four by four. */
TARN_FORCE_INLINE void tarn_recurrent_avx2_store(float *to, const tarn_recurrent_avx2_sums *s, float clip)
{
    const __m256 a = tarn_recurrent_avx2_clip(s->a, clip);
    const __m256 b = tarn_recurrent_avx2_clip(s->b, clip);
    const __m256 c = tarn_recurrent_avx2_clip(s->c, clip);
    const __m256 d = tarn_recurrent_avx2_clip(s->d, clip);
    _mm256_storeu_ps(to, _mm256_permute2f128_ps(a, b, 0x20));
    _mm256_storeu_ps(to + 8, _mm256_permute2f128_ps(c, d, 0x20));
    _mm256_storeu_ps(to + 16, _mm256_permute2f128_ps(a, b, 0x31));
    _mm256_storeu_ps(to + 24, _mm256_permute2f128_ps(c, d, 0x31));
}

/* The sums row by row: the first row of all eight, and `pitch` behind it the next. */
TARN_FORCE_INLINE void tarn_recurrent_avx2_turn(float *to, ptrdiff_t pitch, const tarn_recurrent_avx2_sums *s, float clip)
{
    const __m256 low0 = _mm256_unpacklo_ps(s->a, s->b);
    const __m256 low1 = _mm256_unpacklo_ps(s->c, s->d);
    const __m256 high0 = _mm256_unpackhi_ps(s->a, s->b);
    const __m256 high1 = _mm256_unpackhi_ps(s->c, s->d);
    _mm256_storeu_ps(to, tarn_recurrent_avx2_clip(_mm256_shuffle_ps(low0, low1, 0x44), clip));
    _mm256_storeu_ps(to + pitch, tarn_recurrent_avx2_clip(_mm256_shuffle_ps(low0, low1, 0xEE), clip));
    _mm256_storeu_ps(to + (2 * pitch), tarn_recurrent_avx2_clip(_mm256_shuffle_ps(high0, high1, 0x44), clip));
    _mm256_storeu_ps(to + (3 * pitch), tarn_recurrent_avx2_clip(_mm256_shuffle_ps(high0, high1, 0xEE), clip));
}

#endif
#endif
