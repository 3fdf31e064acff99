/* SPDX-License-Identifier: MIT-0
 * Scores and values of attention for eight keys, or eight columns and more, at a time with AVX2. Each sum has the order that the
 * loops of tarn_attention_core_f32.h give it, and no product is fused with it: the same bits. */
#ifndef TARN_ATTENTION_AVX2_H
#define TARN_ATTENTION_AVX2_H

#include "tarn_math_exp_avx2.h"

#if defined(TARN_MANY_F32)

/* Keys l and l + 4, four columns of each. */
TARN_FORCE_INLINE __m256 tarn_attention_avx2_pair(const float *k, ptrdiff_t row, ptrdiff_t l)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(k + (l * row))), _mm_loadu_ps(k + ((l + 4) * row)), 1);
}

/* Adds the products of four columns of eight keys, `row` elements apart, with four elements of a query. */
TARN_FORCE_INLINE __m256 tarn_attention_avx2_columns(__m256 sum, const float *k, ptrdiff_t row, const float *q, ptrdiff_t q_column)
{
    const __m256 r0 = tarn_attention_avx2_pair(k, row, 0);
    const __m256 r1 = tarn_attention_avx2_pair(k, row, 1);
    const __m256 r2 = tarn_attention_avx2_pair(k, row, 2);
    const __m256 r3 = tarn_attention_avx2_pair(k, row, 3);
    const __m256 low0 = _mm256_unpacklo_ps(r0, r1);
    const __m256 low1 = _mm256_unpacklo_ps(r2, r3);
    const __m256 high0 = _mm256_unpackhi_ps(r0, r1);
    const __m256 high1 = _mm256_unpackhi_ps(r2, r3);
    __m256 s = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_broadcast_ss(q), _mm256_shuffle_ps(low0, low1, 0x44)));
    s = _mm256_add_ps(s, _mm256_mul_ps(_mm256_broadcast_ss(q + q_column), _mm256_shuffle_ps(low0, low1, 0xEE)));
    s = _mm256_add_ps(s, _mm256_mul_ps(_mm256_broadcast_ss(q + (2 * q_column)), _mm256_shuffle_ps(high0, high1, 0x44)));
    return _mm256_add_ps(s, _mm256_mul_ps(_mm256_broadcast_ss(q + (3 * q_column)), _mm256_shuffle_ps(high0, high1, 0xEE)));
}

/* Scores of whole eights of `count` keys, whose columns follow each other; how many there are. */
TARN_INLINE int32_t tarn_attention_avx2_scores(const float *q, int32_t q_column, const float *k, ptrdiff_t row, int32_t size,
                                               float scale, float *scores, int32_t count)
{
    int32_t j;
    for (j = 0; j <= (count - 8); j += 8) {
        const float *keys = k + (j * row);
        const float *query = q;
        __m256 sum = _mm256_setzero_ps();
        int32_t i;
        for (i = 0; i <= (size - 4); i += 4) {
            sum = tarn_attention_avx2_columns(sum, keys + i, row, query, q_column);
            query += (ptrdiff_t)4 * q_column;
        }
        for (; i < size; ++i) {
            const float *at = keys + i;
            const __m256 column =
                _mm256_setr_ps(at[0], at[row], at[2 * row], at[3 * row], at[4 * row], at[5 * row], at[6 * row], at[7 * row]);
            sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_broadcast_ss(query), column));
            query += q_column;
        }
        _mm256_storeu_ps(scores + j, _mm256_mul_ps(_mm256_set1_ps(scale), sum));
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
TARN_FORCE_INLINE void tarn_attention_avx2_exp(float *scores, __m256 most)
{
    const __m256 x = _mm256_sub_ps(_mm256_loadu_ps(scores), most);
    __m256i good;
    const __m256 e = _mm256_castsi256_ps(tarn_avx2_exp(_mm256_castps_si256(x), &good));
    const uint32_t left = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(good)) ^ 255u;
    _mm256_storeu_ps(scores, e);
    if (left != 0u) {
        float from[8];
        int32_t l;
        _mm256_storeu_ps(from, x);
        for (l = 0; l < 8; ++l) {
            scores[l] = (((left >> l) & 1u) != 0u) ? tarn_expf(from[l]) : scores[l];
        }
    }
}

/* The sum of eight weights after another. */
TARN_FORCE_INLINE float tarn_attention_avx2_eight(float sum, const float *e)
{
    const float four = ((sum + e[0]) + e[1]) + e[2] + e[3];
    return ((four + e[4]) + e[5]) + e[6] + e[7];
}

/* All scores likewise; the sum of the weights from the first to the last. */
TARN_INLINE float tarn_attention_avx2_weights(float *scores, int32_t count, float most)
{
    const __m256 all = _mm256_set1_ps(most);
    float sum = 0;
    int32_t j;
    for (j = 0; j <= (count - 8); j += 8) {
        tarn_attention_avx2_exp(scores + j, all);
        sum = tarn_attention_avx2_eight(sum, scores + j);
    }
    for (; j < count; ++j) {
        scores[j] = tarn_expf(scores[j] - most);
        sum += scores[j];
    }
    return sum;
}

/* Adds eight columns of a value by its weight. */
TARN_FORCE_INLINE __m256 tarn_attention_avx2_value(__m256 sum, const float *e, const float *v)
{
    return _mm256_add_ps(sum, _mm256_mul_ps(_mm256_broadcast_ss(e), _mm256_loadu_ps(v)));
}

/* The same, and the values of eight columns by these weights: no sum waits for another. */
TARN_INLINE float tarn_attention_avx2_weigh(float *scores, int32_t count, float most, const float *v, ptrdiff_t row, float *y)
{
    const __m256 all = _mm256_set1_ps(most);
    const float *from = v;
    __m256 s = _mm256_setzero_ps();
    float sum = 0;
    int32_t j;
    for (j = 0; j <= (count - 8); j += 8) {
        const float *at = scores + j;
        const float *half = from + (4 * row);
        tarn_attention_avx2_exp(scores + j, all);
        sum = tarn_attention_avx2_eight(sum, at);
        s = tarn_attention_avx2_value(s, at, from);
        s = tarn_attention_avx2_value(s, at + 1, from + row);
        s = tarn_attention_avx2_value(s, at + 2, from + (2 * row));
        s = tarn_attention_avx2_value(s, at + 3, from + (3 * row));
        s = tarn_attention_avx2_value(s, at + 4, half);
        s = tarn_attention_avx2_value(s, at + 5, half + row);
        s = tarn_attention_avx2_value(s, at + 6, half + (2 * row));
        s = tarn_attention_avx2_value(s, at + 7, half + (3 * row));
        from += 8 * row;
    }
    for (; j < count; ++j) {
        scores[j] = tarn_expf(scores[j] - most);
        sum += scores[j];
        s = tarn_attention_avx2_value(s, scores + j, from);
        from += row;
    }
    _mm256_storeu_ps(y, s);
    return sum;
}

/* Whole eights of columns of y, which follow each other in the values; how many there are. */
TARN_INLINE int32_t tarn_attention_avx2_values(const float *scores, int32_t taken, const float *v, ptrdiff_t row, int32_t values,
                                               float factor, float *y, ptrdiff_t y_column)
{
    int32_t c = 0;
    while (c <= (values - 8)) {
        const int32_t four = (c <= (values - 32)) ? 1 : 0;
        const float *from = v + c;
        __m256 s0 = _mm256_setzero_ps();
        __m256 s1 = s0;
        __m256 s2 = s0;
        __m256 s3 = s0;
        float out[32];
        int32_t j;
        if (four != 0) {
            for (j = 0; j < taken; ++j) {
                const __m256 e = _mm256_set1_ps(scores[j]);
                s0 = _mm256_add_ps(s0, _mm256_mul_ps(e, _mm256_loadu_ps(from)));
                s1 = _mm256_add_ps(s1, _mm256_mul_ps(e, _mm256_loadu_ps(from + 8)));
                s2 = _mm256_add_ps(s2, _mm256_mul_ps(e, _mm256_loadu_ps(from + 16)));
                s3 = _mm256_add_ps(s3, _mm256_mul_ps(e, _mm256_loadu_ps(from + 24)));
                from += row;
            }
        } else {
            for (j = 0; j < taken; ++j) {
                s0 = _mm256_add_ps(s0, _mm256_mul_ps(_mm256_set1_ps(scores[j]), _mm256_loadu_ps(from)));
                from += row;
            }
        }
        _mm256_storeu_ps(out, _mm256_mul_ps(s0, _mm256_set1_ps(factor)));
        _mm256_storeu_ps(out + 8, _mm256_mul_ps(s1, _mm256_set1_ps(factor)));
        _mm256_storeu_ps(out + 16, _mm256_mul_ps(s2, _mm256_set1_ps(factor)));
        _mm256_storeu_ps(out + 24, _mm256_mul_ps(s3, _mm256_set1_ps(factor)));
        for (j = 0; j < ((four != 0) ? 32 : 8); ++j) {
            y[(c + j) * y_column] = out[j];
        }
        c += (four != 0) ? 32 : 8;
    }
    return c;
}

#endif
#endif
