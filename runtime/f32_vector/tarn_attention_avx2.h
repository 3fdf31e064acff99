/* SPDX-License-Identifier: MIT-0
 * Scores and values of attention for eight keys, or eight columns and more, at a time with AVX2 and fused multiply-adds. */
#ifndef TARN_ATTENTION_AVX2_H
#define TARN_ATTENTION_AVX2_H

#include "tarn_math_exp_avx2.h"

#if defined(TARN_MANY_F32)

/* Elements i to i + 7 of a query of `size`, those behind the end 0. */
TARN_FORCE_INLINE __m256 tarn_attention_avx2_query(const float *q, int32_t q_column, int32_t i, int32_t size)
{
    float some[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int32_t l;
    if ((q_column == 1) && (i <= (size - 8))) {
        return _mm256_loadu_ps(q + i);
    }
    for (l = 0; (l < 8) && ((i + l) < size); ++l) {
        some[l] = q[(ptrdiff_t)(i + l) * q_column];
    }
    return _mm256_loadu_ps(some);
}

/* The same elements of a key; their products join the sum. */
TARN_FORCE_INLINE __m256 tarn_attention_avx2_product(__m256 sum, __m256 q, const float *k, __m256i there, int32_t all)
{
    return _mm256_fmadd_ps(q, (all != 0) ? _mm256_loadu_ps(k) : _mm256_maskload_ps(k, there), sum);
}

/* Lanes of a and b in pairs, one sum for each pair: those of a before those of b in each half. */
TARN_FORCE_INLINE __m256 tarn_attention_avx2_halve(__m256 a, __m256 b)
{
    return _mm256_add_ps(_mm256_shuffle_ps(a, b, 0x88), _mm256_shuffle_ps(a, b, 0xDD));
}

/* Scores of whole eights of `count` keys, whose columns follow each other; how many there are. */
TARN_INLINE int32_t tarn_attention_avx2_scores(const float *q, int32_t q_column, const float *k, ptrdiff_t row, int32_t size,
                                               float scale, float *scores, int32_t count)
{
    const __m256i there = tarn_avx2_first(size & 7); /* elements of the last eight */
    const __m256 factor = _mm256_set1_ps(scale);
    const __m256 first = tarn_attention_avx2_query(q, q_column, 0, size);
    int32_t j;
    for (j = 0; j <= (count - 8); j += 8) {
        const float *low = k + (j * row);
        const float *high = low + (4 * row);
        __m256 s0 = _mm256_setzero_ps();
        __m256 s1 = s0;
        __m256 s2 = s0;
        __m256 s3 = s0;
        __m256 s4 = s0;
        __m256 s5 = s0;
        __m256 s6 = s0;
        __m256 s7 = s0;
        int32_t i;
        for (i = 0; i < size; i += 8) {
            const int32_t all = (i <= (size - 8)) ? 1 : 0;
            const __m256 x = (i == 0) ? first : tarn_attention_avx2_query(q, q_column, i, size);
            s0 = tarn_attention_avx2_product(s0, x, low + i, there, all);
            s1 = tarn_attention_avx2_product(s1, x, low + row + i, there, all);
            s2 = tarn_attention_avx2_product(s2, x, low + (2 * row) + i, there, all);
            s3 = tarn_attention_avx2_product(s3, x, low + (3 * row) + i, there, all);
            s4 = tarn_attention_avx2_product(s4, x, high + i, there, all);
            s5 = tarn_attention_avx2_product(s5, x, high + row + i, there, all);
            s6 = tarn_attention_avx2_product(s6, x, high + (2 * row) + i, there, all);
            s7 = tarn_attention_avx2_product(s7, x, high + (3 * row) + i, there, all);
        }
        s0 = tarn_attention_avx2_halve(tarn_attention_avx2_halve(s0, s1), tarn_attention_avx2_halve(s2, s3));
        s4 = tarn_attention_avx2_halve(tarn_attention_avx2_halve(s4, s5), tarn_attention_avx2_halve(s6, s7));
        s0 = _mm256_add_ps(_mm256_permute2f128_ps(s0, s4, 0x20), _mm256_permute2f128_ps(s0, s4, 0x31));
        _mm256_storeu_ps(scores + j, _mm256_mul_ps(factor, s0));
    }
    return j;
}

/* The largest of the scores and `least`; a NaN is none. */
TARN_INLINE float tarn_attention_avx2_most(const float *scores, int32_t count, float least)
{
    __m256 most = _mm256_set1_ps(least);
    float all[8];
    float m = least;
    int32_t j;
    for (j = 0; j <= (count - 8); j += 8) {
        most = _mm256_max_ps(_mm256_loadu_ps(scores + j), most);
    }
    for (; j < count; ++j) {
        m = (scores[j] > m) ? scores[j] : m;
    }
    _mm256_storeu_ps(all, most);
    for (j = 0; j < 8; ++j) {
        m = (all[j] > m) ? all[j] : m;
    }
    return m;
}

/* Eight scores less the largest become their weights. */
TARN_FORCE_INLINE __m256 tarn_attention_avx2_exp(float *scores, __m256 most)
{
    const __m256 e = tarn_avx2_exp_share(_mm256_sub_ps(_mm256_loadu_ps(scores), most));
    _mm256_storeu_ps(scores, e);
    return e;
}

/* Scores behind the last whole eight likewise; the weights, and 0 in the other lanes. */
TARN_FORCE_INLINE __m256 tarn_attention_avx2_rest(float *scores, int32_t count, __m256 most)
{
    float some[8] = {-TARN_INF_F, -TARN_INF_F, -TARN_INF_F, -TARN_INF_F, -TARN_INF_F, -TARN_INF_F, -TARN_INF_F, -TARN_INF_F};
    const size_t bytes = (size_t)count * sizeof *scores;
    __m256 e;
    memcpy(some, scores, bytes);
    e = tarn_attention_avx2_exp(some, most);
    memcpy(scores, some, bytes);
    return e;
}

/* All scores likewise; the sum of the weights. */
TARN_INLINE float tarn_attention_avx2_weights(float *scores, int32_t count, float most)
{
    const __m256 all = _mm256_set1_ps(most);
    __m256 sum = _mm256_setzero_ps();
    int32_t j;
    for (j = 0; j <= (count - 8); j += 8) {
        sum = _mm256_add_ps(sum, tarn_attention_avx2_exp(scores + j, all));
    }
    if (j < count) {
        sum = _mm256_add_ps(sum, tarn_attention_avx2_rest(scores + j, count - j, all));
    }
    return tarn_avx2_sum(sum);
}

/* Adds eight columns of a value by its weight. */
TARN_FORCE_INLINE __m256 tarn_attention_avx2_value(__m256 sum, const float *e, const float *v)
{
    return _mm256_fmadd_ps(_mm256_broadcast_ss(e), _mm256_loadu_ps(v), sum);
}

/* Eight columns by all weights, in four sums, as each waits for its last product. */
TARN_FORCE_INLINE void tarn_attention_avx2_column(const float *scores, int32_t taken, const float *v, ptrdiff_t row, float *out)
{
    const float *from = v;
    __m256 s0 = _mm256_setzero_ps();
    __m256 s1 = s0;
    __m256 s2 = s0;
    __m256 s3 = s0;
    int32_t j;
    for (j = 0; j <= (taken - 4); j += 4) {
        s0 = tarn_attention_avx2_value(s0, scores + j, from);
        s1 = tarn_attention_avx2_value(s1, scores + j + 1, from + row);
        s2 = tarn_attention_avx2_value(s2, scores + j + 2, from + (2 * row));
        s3 = tarn_attention_avx2_value(s3, scores + j + 3, from + (3 * row));
        from += 4 * row;
    }
    for (; j < taken; ++j) {
        s0 = tarn_attention_avx2_value(s0, scores + j, from);
        from += row;
    }
    _mm256_storeu_ps(out, _mm256_add_ps(_mm256_add_ps(s0, s1), _mm256_add_ps(s2, s3)));
}

/* 32 columns by all weights. */
TARN_FORCE_INLINE void tarn_attention_avx2_columns(const float *scores, int32_t taken, const float *v, ptrdiff_t row, float *out)
{
    const float *from = v;
    __m256 s0 = _mm256_setzero_ps();
    __m256 s1 = s0;
    __m256 s2 = s0;
    __m256 s3 = s0;
    int32_t j;
    for (j = 0; j < taken; ++j) {
        s0 = tarn_attention_avx2_value(s0, scores + j, from);
        s1 = tarn_attention_avx2_value(s1, scores + j, from + 8);
        s2 = tarn_attention_avx2_value(s2, scores + j, from + 16);
        s3 = tarn_attention_avx2_value(s3, scores + j, from + 24);
        from += row;
    }
    _mm256_storeu_ps(out, s0);
    _mm256_storeu_ps(out + 8, s1);
    _mm256_storeu_ps(out + 16, s2);
    _mm256_storeu_ps(out + 24, s3);
}

/* Whole eights of columns of y, which follow each other in the values; how many there are. */
TARN_INLINE int32_t tarn_attention_avx2_values(const float *scores, int32_t taken, const float *v, ptrdiff_t row, int32_t values,
                                               float factor, float *y, ptrdiff_t y_column)
{
    int32_t c = 0;
    while (c <= (values - 8)) {
        const int32_t columns = (c <= (values - 32)) ? 32 : 8;
        float out[32];
        int32_t j;
        if (columns == 32) {
            tarn_attention_avx2_columns(scores, taken, v + c, row, out);
        } else {
            tarn_attention_avx2_column(scores, taken, v + c, row, out);
        }
        for (j = 0; j < columns; ++j) {
            y[(c + j) * y_column] = out[j] * factor;
        }
        c += columns;
    }
    return c;
}

#endif
#endif
