/* SPDX-License-Identifier: MIT-0
 * Lines of a depthwise int8 convolution with AVX2: eight channels at a time, two taps in each step. Weights stand as [c/4][taps]
 * [4 channels], as tarn_int_depthwise_line_s8 has them. */
#ifndef TARN_INT_DEPTHWISE_AVX2_H
#define TARN_INT_DEPTHWISE_AVX2_H

#include "tarn_int_avx2.h"
#include "tarn_int_depthwise_line_s8.h"

#if TARN_INT_AVX2

/* n codes, at most 8; nothing is read behind them. */
TARN_FORCE_INLINE __m128i tarn_int_depthwise_avx2_load(const int8_t *from, int32_t n)
{
    int8_t some[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int32_t i;
    if (n == 8) {
        return _mm_loadl_epi64((const __m128i *)(const void *)from);
    }
    for (i = 0; i < n; ++i) {
        some[i & 7] = from[i];
    }
    return _mm_loadl_epi64((const __m128i *)(const void *)some);
}

/* Weights of two taps, or of one and zeros, for two times four channels: pairs of 16 bits. */
TARN_FORCE_INLINE __m256i tarn_int_depthwise_avx2_weights(const int8_t *w, const int8_t *other, int32_t alone)
{
    const __m128i order = _mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
    __m128i bytes;
    if (alone != 0) {
        bytes = _mm_setr_epi32(tarn_int_avx2_four(w), 0, tarn_int_avx2_four(other), 0);
    } else {
        bytes = _mm_unpacklo_epi64(tarn_int_depthwise_avx2_load(w, 8), tarn_int_depthwise_avx2_load(other, 8));
    }
    return _mm256_cvtepi8_epi16(_mm_shuffle_epi8(bytes, order));
}

/* Codes of eight channels under two taps, likewise. Under a tap alone they come twice, the second time for a weight of zero. */
TARN_FORCE_INLINE __m256i tarn_int_depthwise_avx2_codes(const int8_t *x, const int8_t *other, int32_t left)
{
    return _mm256_cvtepi8_epi16(
        _mm_unpacklo_epi8(tarn_int_depthwise_avx2_load(x, left), tarn_int_depthwise_avx2_load(other, left)));
}

/* Channels from c on, `left` (at most 8) of them, of `pixels` (1 or 4) pixels: the codes of the first lie at the taps, those of each
 * other `next` further on. */
TARN_FORCE_INLINE void tarn_int_depthwise_avx2_eight(const tarn_int_depthwise2d_s8_params *p, const tarn_int_avx2_form *f,
                                                     const int8_t *const *taps, int32_t c, int32_t left, ptrdiff_t next,
                                                     int32_t pixels, const int8_t *w, const int32_t *q, const int32_t *w_zero,
                                                     const int32_t *exceptions, int8_t *y)
{
    const int32_t n = p->rows * p->taps;
    const int8_t *w_other = w + ((left > 4) ? ((ptrdiff_t)4 * n) : 0);
    tarn_int_avx2_constants k;
    __m256i s0;
    __m256i s1;
    __m256i s2;
    __m256i s3;
    __m256i zeros;
    int32_t t;
    tarn_int_avx2_fetch(&k, q, w_zero, left);
    s0 = k.begin;
    s1 = s0;
    s2 = s0;
    s3 = s0;
    zeros = _mm256_and_si256(k.zeros, _mm256_set1_epi32(0xFFFF));
    for (t = 0; t < n; t += 2) {
        const int32_t alone = (t + 1) == n;
        const int8_t *x = taps[t] + c;
        const int8_t *other = (alone != 0) ? x : (taps[t + 1] + c);
        /* Less their zero points weights take 9 bits. */
        const __m256i lower = (alone != 0) ? zeros : _mm256_or_si256(zeros, _mm256_slli_epi32(zeros, 16));
        const __m256i weights = _mm256_sub_epi16(tarn_int_depthwise_avx2_weights(w, w_other, alone), lower);
        s0 = tarn_int_avx2_mac(s0, weights, tarn_int_depthwise_avx2_codes(x, other, left));
        if (pixels == 4) {
            s1 = tarn_int_avx2_mac(s1, weights, tarn_int_depthwise_avx2_codes(x + next, other + next, left));
            s2 = tarn_int_avx2_mac(s2, weights, tarn_int_depthwise_avx2_codes(x + (2 * next), other + (2 * next), left));
            s3 = tarn_int_avx2_mac(s3, weights, tarn_int_depthwise_avx2_codes(x + (3 * next), other + (3 * next), left));
        }
        w += 8;
        w_other += 8;
    }
    tarn_int_avx2_requant(f, &k, exceptions, c, s0, y, left);
    if (pixels == 4) {
        tarn_int_avx2_requant(f, &k, exceptions, c, s1, y + p->y_pitch, left);
        tarn_int_avx2_requant(f, &k, exceptions, c, s2, y + ((ptrdiff_t)2 * p->y_pitch), left);
        tarn_int_avx2_requant(f, &k, exceptions, c, s3, y + ((ptrdiff_t)3 * p->y_pitch), left);
    }
}

/* All channels of one pixel, or of four. */
TARN_FORCE_INLINE void tarn_int_depthwise_avx2_pixels(const tarn_int_depthwise2d_s8_params *p, const tarn_int_avx2_form *f,
                                                      const int8_t *const *taps, ptrdiff_t next, int32_t pixels, const int8_t *w,
                                                      const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y)
{
    const ptrdiff_t eight = (ptrdiff_t)8 * p->rows * p->taps;
    int32_t c;
    for (c = 0; (c + 8) <= p->channels; c += 8) {
        tarn_int_depthwise_avx2_eight(p, f, taps, c, 8, next, pixels, w, q, w_zero, exceptions, y + c);
        w += eight;
        q += 24;
        if (w_zero != NULL) {
            w_zero += 8;
        }
    }
    if (c < p->channels) {
        tarn_int_depthwise_avx2_eight(p, f, taps, c, p->channels - c, next, pixels, w, q, w_zero, exceptions, y + c);
    }
}

/* Are all taps of four pixels, from the one at `column` on, within the image, and does no output lie where they do? */
TARN_INLINE int32_t tarn_int_depthwise_avx2_four(const tarn_int_depthwise2d_s8_params *p, const int8_t *const *x, int32_t column,
                                                 const int8_t *y)
{
    const int32_t last = column + (3 * p->stride[1]) + ((p->taps - 1) * p->dilation[1]);
    int32_t row;
    if ((column < 0) || (last >= p->in_pixels)) {
        return 0;
    }
    for (row = 0; row < p->rows; ++row) {
        if ((x[row] == NULL) ||
            (tarn_int_avx2_apart(x[row] + ((ptrdiff_t)column * p->x_pitch), (ptrdiff_t)(last - column + 1) * p->x_pitch, y,
                                 (ptrdiff_t)4 * p->y_pitch) == 0)) {
            return 0;
        }
    }
    return 1;
}

/* Room for the codes under four pixels that reach beyond the image or lie where outputs come to stand: on the stack. */
#define TARN_INT_DEPTHWISE_AVX2_CODES 8192
#define TARN_INT_DEPTHWISE_AVX2_TAPS 32

/* n codes. */
TARN_INLINE void tarn_int_depthwise_avx2_copy(int8_t *to, const int8_t *from, int32_t n)
{
    int32_t i;
    for (i = 0; i <= (n - 16); i += 16) {
        _mm_storeu_si128((__m128i *)(void *)(to + i), tarn_int_avx2_load(from + i));
    }
    for (; i < n; ++i) {
        to[i] = from[i];
    }
}

/* Four pixels, the first of which has its first tap at `column`, from a copy of what lies under them; zeros: a pixel of what lies outside
 * the image. 0: there is no room for one. */
TARN_INLINE int32_t tarn_int_depthwise_avx2_copied(const tarn_int_depthwise2d_s8_params *p, const tarn_int_avx2_form *f,
                                                   const int8_t *const *x, int32_t column, const int8_t *zeros, const int8_t *w,
                                                   const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y)
{
    const int32_t columns = (3 * p->stride[1]) + ((p->taps - 1) * p->dilation[1]) + 1;
    int8_t codes[TARN_INT_DEPTHWISE_AVX2_CODES];
    const int8_t *taps[TARN_INT_DEPTHWISE_AVX2_TAPS];
    int8_t *to = codes;
    int32_t i = 0;
    int32_t row;
    if (((p->rows * p->taps) > TARN_INT_DEPTHWISE_AVX2_TAPS) ||
        ((p->rows * columns) > (TARN_INT_DEPTHWISE_AVX2_CODES / p->channels))) {
        return 0;
    }
    for (row = 0; row < p->rows; ++row) {
        int32_t tap;
        int32_t col;
        for (tap = 0; tap < p->taps; ++tap) {
            taps[i++] = to + ((ptrdiff_t)tap * p->dilation[1] * p->channels);
        }
        for (col = column; col < (column + columns); ++col) {
            const int32_t here = (x[row] != NULL) && (col >= 0) && (col < p->in_pixels);
            tarn_int_depthwise_avx2_copy(to, (here != 0) ? (x[row] + ((ptrdiff_t)col * p->x_pitch)) : zeros, p->channels);
            to += p->channels;
        }
    }
    tarn_int_depthwise_avx2_pixels(p, f, taps, (ptrdiff_t)p->stride[1] * p->channels, 4, w, q, w_zero, exceptions, y);
    return 1;
}

#endif
#endif
