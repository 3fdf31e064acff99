/* SPDX-License-Identifier: MIT-0
 * A fully connected int8 layer with AVX2, sixteen outputs at a time; see tarn_int_dense_s8.h. */
#ifndef TARN_INT_DENSE_AVX2_H
#define TARN_INT_DENSE_AVX2_H

#include "tarn_int_avx2.h"
#include "tarn_int_dense_s8.h"

#if TARN_INT_AVX2

/* Sums of four quads of outputs, pairs of products not added yet. */
typedef struct {
    __m256i a, b, c, d;
    const int8_t *w[4];
} tarn_int_dense_avx2_sums;

/* n codes, a multiple of 4; weights move on. */
TARN_FORCE_INLINE void tarn_int_dense_avx2_add(tarn_int_dense_avx2_sums *s, const int8_t *x, int32_t n, int32_t raised)
{
    const __m128i flip = _mm_setzero_si128();
    const ptrdiff_t bytes = (ptrdiff_t)4 * n;
    __m256i a = s->a;
    __m256i b = s->b;
    __m256i c = s->c;
    __m256i d = s->d;
    ptrdiff_t at;
    for (at = 0; at != bytes; at += 16) {
        const __m256i codes = tarn_int_avx2_codes(x + (at / 4), flip, 0);
        a = tarn_int_avx2_mac(a, tarn_int_avx2_weights(s->w[0] + at, raised), codes);
        b = tarn_int_avx2_mac(b, tarn_int_avx2_weights(s->w[1] + at, raised), codes);
        c = tarn_int_avx2_mac(c, tarn_int_avx2_weights(s->w[2] + at, raised), codes);
        d = tarn_int_avx2_mac(d, tarn_int_avx2_weights(s->w[3] + at, raised), codes);
    }
    s->a = a;
    s->b = b;
    s->c = c;
    s->d = d;
    s->w[0] += bytes;
    s->w[1] += bytes;
    s->w[2] += bytes;
    s->w[3] += bytes;
}

TARN_FORCE_INLINE void tarn_int_dense_avx2_layer(const tarn_int_dense_s8_params *p, const int8_t *x, const int8_t *w,
                                                 const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                                 int32_t raised)
{
    const int32_t whole = p->inputs & ~3;
    const ptrdiff_t quad = (ptrdiff_t)4 * ((p->inputs + 3) & ~3);
    int8_t last[4] = {0, 0, 0, 0};
    int32_t total = 0;
    int32_t i;
    tarn_int_avx2_form f;
    tarn_int_avx2_begin(&f, &p->requant);
    for (i = whole; i < p->inputs; ++i) {
        last[i & 3] = x[i];
    }
    for (i = 0; (raised != 0) && (i < p->inputs); ++i) {
        total += x[i];
    }
    for (i = 0; i < p->outputs; i += 16) {
        /* Quads beyond the last are the last. */
        const int32_t left = p->outputs - i;
        tarn_int_dense_avx2_sums s;
        tarn_int_avx2_constants k;
        s.a = _mm256_setzero_si256();
        s.b = s.a;
        s.c = s.a;
        s.d = s.a;
        s.w[0] = w + ((i / 4) * quad);
        s.w[1] = s.w[0] + ((left > 4) ? quad : 0);
        s.w[2] = s.w[1] + ((left > 8) ? quad : 0);
        s.w[3] = s.w[2] + ((left > 12) ? quad : 0);
        tarn_int_dense_avx2_add(&s, x, whole, raised);
        if (whole != p->inputs) {
            tarn_int_dense_avx2_add(&s, last, 4, raised);
        }
        tarn_int_avx2_fetch(&k, q + ((ptrdiff_t)3 * i), (raised != 0) ? (w_zero + i) : NULL, left);
        tarn_int_avx2_finish(&f, &k, exceptions, i, s.a, s.b, total, y + i, left, raised);
        if (left > 8) {
            tarn_int_avx2_fetch(&k, q + ((ptrdiff_t)3 * (i + 8)), (raised != 0) ? (w_zero + i + 8) : NULL, left - 8);
            tarn_int_avx2_finish(&f, &k, exceptions, i + 8, s.c, s.d, total, y + i + 8, left - 8, raised);
        }
    }
}

TARN_INLINE void tarn_int_dense_avx2(const tarn_int_dense_s8_params *p, const int8_t *x, const int8_t *w, const int32_t *q,
                                     const int32_t *w_zero, const int32_t *exceptions, int8_t *y)
{
    if (w_zero != NULL) {
        tarn_int_dense_avx2_layer(p, x, w, q, w_zero, exceptions, y, 1);
    } else {
        tarn_int_dense_avx2_layer(p, x, w, q, NULL, exceptions, y, 0);
    }
}

#endif
#endif
