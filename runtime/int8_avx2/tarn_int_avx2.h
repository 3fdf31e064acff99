/* SPDX-License-Identifier: MIT-0
 * Sums of products of codes with AVX2: codes and weights are widened to 16 bits, and VPMADDWD adds pairs of products in 32, which
 * is exact. Weights stand as [n/4][4 outputs][4 of n], as for tarn_int_dots.h, and are unsigned bytes where `raised`. */
#ifndef TARN_INT_AVX2_H
#define TARN_INT_AVX2_H

#include "tarn_requant.h"

#if TARN_USE_ASM && defined(__AVX2__)
#define TARN_INT_AVX2 1
#else
#define TARN_INT_AVX2 0
#endif

#if TARN_INT_AVX2

#include <immintrin.h>

TARN_FORCE_INLINE __m128i tarn_int_avx2_load(const void *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

/* Two times four numbers. */
TARN_FORCE_INLINE __m256i tarn_int_avx2_join(const int32_t *low, const int32_t *high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(tarn_int_avx2_load(low)), tarn_int_avx2_load(high), 1);
}

/* Sixteen weights: four of each of four outputs. */
TARN_FORCE_INLINE __m256i tarn_int_avx2_weights(const int8_t *w, int32_t raised)
{
    const __m128i bytes = tarn_int_avx2_load(w);
    return (raised != 0) ? _mm256_cvtepu8_epi16(bytes) : _mm256_cvtepi8_epi16(bytes);
}

/* Bytes of any type, anywhere. */
typedef int32_t tarn_int_avx2_word __attribute__((may_alias, aligned(1)));

TARN_FORCE_INLINE int32_t tarn_int_avx2_four(const int8_t *from)
{
    return *(const tarn_int_avx2_word *)(const void *)from;
}

/* Four codes of 16 bits, four times. */
typedef int64_t tarn_int_avx2_long __attribute__((may_alias, aligned(1)));

TARN_FORCE_INLINE __m256i tarn_int_avx2_wide(const int16_t *x)
{
    return _mm256_set1_epi64x(*(const tarn_int_avx2_long *)(const void *)x);
}

/* n codes, a multiple of 4, become 16 bits wide. */
TARN_INLINE void tarn_int_avx2_widen(int16_t *to, const int8_t *x, int32_t n, __m128i flip, int32_t raised)
{
    int32_t i = 0;
    for (; i <= (n - 16); i += 16) {
        const __m128i bytes = _mm_xor_si128(tarn_int_avx2_load(x + i), flip);
        const __m256i wide = (raised != 0) ? _mm256_cvtepu8_epi16(bytes) : _mm256_cvtepi8_epi16(bytes);
        _mm256_storeu_si256((__m256i *)(void *)(to + i), wide);
    }
    for (; i < n; i += 4) {
        const __m128i bytes = _mm_xor_si128(_mm_cvtsi32_si128(tarn_int_avx2_four(x + i)), flip);
        _mm_storel_epi64((__m128i *)(void *)(to + i), (raised != 0) ? _mm_cvtepu8_epi16(bytes) : _mm_cvtepi8_epi16(bytes));
    }
}

/* Four codes, four times. `flip`: bits that are changed, which makes unsigned ones of them where `raised`. */
TARN_FORCE_INLINE __m256i tarn_int_avx2_codes(const int8_t *x, __m128i flip, int32_t raised)
{
    const __m128i bytes = _mm_set1_epi32(tarn_int_avx2_four(x));
    return (raised != 0) ? _mm256_cvtepu8_epi16(_mm_xor_si128(bytes, flip)) : _mm256_cvtepi8_epi16(bytes);
}

TARN_FORCE_INLINE __m256i tarn_int_avx2_mac(__m256i sum, __m256i w, __m256i x)
{
#if defined(__AVX512VNNI__) && defined(__AVX512VL__)
    return _mm256_dpwssd_epi32(sum, w, x);
#else
    return _mm256_add_epi32(sum, _mm256_madd_epi16(w, x));
#endif
}

/* The sums of eight outputs, from those of pairs of two quads. */
TARN_FORCE_INLINE __m256i tarn_int_avx2_eight(__m256i a, __m256i b)
{
    return _mm256_permute4x64_epi64(_mm256_hadd_epi32(a, b), 0xD8);
}

/* The sum of n unsigned codes; n is a multiple of 4. */
TARN_INLINE int32_t tarn_int_avx2_total(const int8_t *x, int32_t n, __m128i flip)
{
    __m128i sum = _mm_setzero_si128();
    int32_t i = 0;
    for (; i <= (n - 16); i += 16) {
        sum = _mm_add_epi64(sum, _mm_sad_epu8(_mm_xor_si128(tarn_int_avx2_load(x + i), flip), _mm_setzero_si128()));
    }
    for (; i < n; i += 4) {
        sum = _mm_add_epi64(
            sum, _mm_sad_epu8(_mm_cvtsi32_si128(tarn_int_avx2_four(x + i) ^ _mm_cvtsi128_si32(flip)), _mm_setzero_si128()));
    }
    return _mm_cvtsi128_si32(_mm_add_epi64(sum, _mm_srli_si128(sum, 8)));
}

/* Do two ranges of bytes lie apart? */
TARN_FORCE_INLINE int32_t tarn_int_avx2_apart(const int8_t *a, ptrdiff_t a_bytes, const int8_t *b, ptrdiff_t b_bytes)
{
    const uintptr_t a_at = (uintptr_t)a;
    const uintptr_t b_at = (uintptr_t)b;
    return ((a_at + (uintptr_t)a_bytes) <= b_at) || ((b_at + (uintptr_t)b_bytes) <= a_at);
}

/* Eight times hi32(a * b). */
TARN_FORCE_INLINE __m256i tarn_int_avx2_mulhi(__m256i a, __m256i b)
{
    const __m256i even = _mm256_mul_epi32(a, b);
    const __m256i odd = _mm256_mul_epi32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
    return _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA);
}

/* What all sums of a layer have in common. */
typedef struct {
    const tarn_requant_params *p;
    __m128i pre, post;
    __m256i mask, lo, hi;
} tarn_int_avx2_form;

TARN_FORCE_INLINE void tarn_int_avx2_begin(tarn_int_avx2_form *f, const tarn_requant_params *p)
{
    f->p = p;
    f->pre = _mm_cvtsi32_si128(p->pre);
    f->post = _mm_cvtsi32_si128(p->post);
    f->mask = _mm256_set1_epi32(p->mask);
    f->lo = _mm256_set1_epi32(p->lo);
    f->hi = _mm256_set1_epi32(p->hi);
}

/* Constants of `left` (at most 8 count) outputs in a row: from {begin, m, c} times four, and so on; and zero points of their weights. */
typedef struct {
    __m256i begin, m, c, zeros;
} tarn_int_avx2_constants;

/* w_zero: NULL where weights have no zero points. */
TARN_FORCE_INLINE void tarn_int_avx2_fetch(tarn_int_avx2_constants *k, const int32_t *q, const int32_t *w_zero, int32_t left)
{
    const int32_t *other = q + ((left > 4) ? 12 : 0);
    k->begin = tarn_int_avx2_join(q, other);
    k->m = tarn_int_avx2_join(q + 4, other + 4);
    k->c = tarn_int_avx2_join(q + 8, other + 8);
    k->zeros = (w_zero != NULL) ? tarn_int_avx2_join(w_zero, w_zero + ((left > 4) ? 4 : 0)) : _mm256_setzero_si256();
}

/* Where some of `left` codes need another look, or eight are more than there are. */
TARN_INLINE void tarn_int_avx2_near(const tarn_int_avx2_form *f, const int32_t *exceptions, int32_t channel, __m256i sums,
                                    __m256i t, __m256i m, __m128i codes, uint32_t near, int8_t *y, int32_t left)
{
    int8_t out[16];
    int32_t sum[8];
    int32_t at[8];
    int32_t factor[8];
    int32_t i;
    _mm_storeu_si128((__m128i *)(void *)out, codes);
    _mm256_storeu_si256((__m256i *)(void *)sum, sums);
    _mm256_storeu_si256((__m256i *)(void *)at, t);
    _mm256_storeu_si256((__m256i *)(void *)factor, m);
    for (i = 0; (i < 8) && (i < left); ++i) {
        if (((near >> i) & 1u) != 0u) {
            out[i] = (int8_t)tarn_requant_near(f->p, exceptions, channel + i, sum[i], at[i], factor[i]);
        }
        y[i] = out[i];
    }
}

/* The codes of `left` (at most 8 count) sums in a row; see tarn_requant(). */
TARN_FORCE_INLINE void tarn_int_avx2_requant(const tarn_int_avx2_form *f, const tarn_int_avx2_constants *k,
                                             const int32_t *exceptions, int32_t channel, __m256i sums, int8_t *y, int32_t left)
{
    const __m256i t = _mm256_add_epi32(k->c, tarn_int_avx2_mulhi(_mm256_sll_epi32(sums, f->pre), k->m));
    const __m256i inside = _mm256_cmpeq_epi32(_mm256_and_si256(t, f->mask), _mm256_setzero_si256());
    const uint32_t near = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(inside));
    __m256i codes = _mm256_min_epi32(_mm256_max_epi32(_mm256_sra_epi32(t, f->post), f->lo), f->hi);
    __m128i bytes;
    codes = _mm256_shuffle_epi8(codes, _mm256_set1_epi32(0x0C080400));
    bytes = _mm_unpacklo_epi32(_mm256_castsi256_si128(codes), _mm256_extracti128_si256(codes, 1));
    if ((left >= 8) && (near == 0u)) {
        _mm_storel_epi64((__m128i *)(void *)y, bytes);
    } else {
        tarn_int_avx2_near(f, exceptions, channel, sums, t, k->m, bytes, near, y, left);
    }
}

/* The same from the sums of pairs of two quads; raised: zero points, `total` times each of which is taken away. */
TARN_FORCE_INLINE void tarn_int_avx2_finish(const tarn_int_avx2_form *f, const tarn_int_avx2_constants *k, const int32_t *exceptions,
                                            int32_t channel, __m256i a, __m256i b, int32_t total, int8_t *y, int32_t left,
                                            int32_t raised)
{
    __m256i sums = _mm256_add_epi32(k->begin, tarn_int_avx2_eight(a, b));
    if (raised != 0) {
        sums = _mm256_sub_epi32(sums, _mm256_mullo_epi32(k->zeros, _mm256_set1_epi32(total)));
    }
    tarn_int_avx2_requant(f, k, exceptions, channel, sums, y, left);
}

#endif
#endif
