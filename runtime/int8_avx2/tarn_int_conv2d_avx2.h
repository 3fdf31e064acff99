/* SPDX-License-Identifier: MIT-0
 * Lines of an int8 convolution with AVX2: the bits of tarn_int_conv2d_line_s8, several outputs at a time. Patches are read where they
 * lie in the lines; gathered are those that reach beyond the image, and all where outputs may overwrite inputs. */
#ifndef TARN_INT_CONV2D_AVX2_H
#define TARN_INT_CONV2D_AVX2_H

#include "tarn_int_avx2.h"
#include "tarn_int_conv2d_patch_s8.h"

#if TARN_INT_AVX2

/* Where codes lie: `rows` runs of `run` codes, whose count is a multiple of 4. */
typedef struct {
    const int8_t *const *x;
    ptrdiff_t offset;
    int32_t rows, run;
    __m128i flip;
} tarn_int_conv2d_avx2_runs;

/* The sum of the codes of a patch that begins `at` codes behind the first. */
TARN_FORCE_INLINE int32_t tarn_int_conv2d_avx2_total(const tarn_int_conv2d_avx2_runs *runs, ptrdiff_t at)
{
    int32_t total = 0;
    int32_t row;
    for (row = 0; row < runs->rows; ++row) {
        total += tarn_int_avx2_total(runs->x[row] + runs->offset + at, runs->run, runs->flip);
    }
    return total;
}

/* Sixteen outputs of a patch at a time. */
TARN_FORCE_INLINE void tarn_int_conv2d_avx2_sixteen(const tarn_int_conv2d_s8_params *p, const tarn_int_avx2_form *f,
                                                    const tarn_int_conv2d_avx2_runs *runs, const int8_t *w, const int32_t *q,
                                                    const int32_t *w_zero, const int32_t *exceptions, int32_t channel, int8_t *y,
                                                    int32_t raised)
{
    const ptrdiff_t quad = (ptrdiff_t)4 * p->length;
    const int32_t total = (raised != 0) ? tarn_int_conv2d_avx2_total(runs, 0) : 0;
    int32_t o;
    int32_t row;
    for (o = 0; o < p->outputs; o += 16) {
        /* Those beyond the last are the last. */
        const int32_t left = p->outputs - o;
        const int8_t *w0 = w;
        const int8_t *w1 = w0 + ((left > 4) ? quad : 0);
        const int8_t *w2 = w1 + ((left > 8) ? quad : 0);
        const int8_t *w3 = w2 + ((left > 12) ? quad : 0);
        tarn_int_avx2_constants k;
        __m256i a = _mm256_setzero_si256();
        __m256i b = a;
        __m256i c = a;
        __m256i d = a;
        for (row = 0; row < runs->rows; ++row) {
            const int8_t *x = runs->x[row] + runs->offset;
            const int8_t *end = x + runs->run;
            do {
                const __m256i codes = tarn_int_avx2_codes(x, runs->flip, raised);
                a = tarn_int_avx2_mac(a, tarn_int_avx2_weights(w0, raised), codes);
                b = tarn_int_avx2_mac(b, tarn_int_avx2_weights(w1, raised), codes);
                c = tarn_int_avx2_mac(c, tarn_int_avx2_weights(w2, raised), codes);
                d = tarn_int_avx2_mac(d, tarn_int_avx2_weights(w3, raised), codes);
                x += 4;
                w0 += 16;
                w1 += 16;
                w2 += 16;
                w3 += 16;
            } while (x != end);
        }
        tarn_int_avx2_fetch(&k, q, w_zero, left);
        tarn_int_avx2_finish(f, &k, exceptions, channel + o, a, b, total, y + o, left, raised);
        if (left > 8) {
            tarn_int_avx2_fetch(&k, q + 24, (raised != 0) ? (w_zero + 8) : NULL, left - 8);
            tarn_int_avx2_finish(f, &k, exceptions, channel + o + 8, c, d, total, y + o + 8, left - 8, raised);
        }
        w += 4 * quad;
        q += 48;
        if (raised != 0) {
            w_zero += 16;
        }
    }
}

/* Longest patch of which four are widened before the products: on the stack. */
#define TARN_INT_CONV2D_AVX2_WIDE 1536

/* Sums of pairs of two quads of outputs, by patch. */
typedef struct {
    __m256i a0, a1, a2, a3;
    __m256i b0, b1, b2, b3;
} tarn_int_conv2d_avx2_sums;

/* The products of four patches with two quads of weights. */
TARN_FORCE_INLINE void tarn_int_conv2d_avx2_products(tarn_int_conv2d_avx2_sums *s, const tarn_int_conv2d_avx2_runs *runs, ptrdiff_t next,
                                                     const int8_t *w0, const int8_t *w1, int32_t raised)
{
    int32_t row;
    for (row = 0; row < runs->rows; ++row) {
        const int8_t *x = runs->x[row] + runs->offset;
        const int8_t *end = x + runs->run;
        do {
            const __m256i wa = tarn_int_avx2_weights(w0, raised);
            const __m256i wb = tarn_int_avx2_weights(w1, raised);
            const __m256i x0 = tarn_int_avx2_codes(x, runs->flip, raised);
            const __m256i x1 = tarn_int_avx2_codes(x + next, runs->flip, raised);
            const __m256i x2 = tarn_int_avx2_codes(x + (2 * next), runs->flip, raised);
            const __m256i x3 = tarn_int_avx2_codes(x + (3 * next), runs->flip, raised);
            s->a0 = tarn_int_avx2_mac(s->a0, wa, x0);
            s->b0 = tarn_int_avx2_mac(s->b0, wb, x0);
            s->a1 = tarn_int_avx2_mac(s->a1, wa, x1);
            s->b1 = tarn_int_avx2_mac(s->b1, wb, x1);
            s->a2 = tarn_int_avx2_mac(s->a2, wa, x2);
            s->b2 = tarn_int_avx2_mac(s->b2, wb, x2);
            s->a3 = tarn_int_avx2_mac(s->a3, wa, x3);
            s->b3 = tarn_int_avx2_mac(s->b3, wb, x3);
            x += 4;
            w0 += 16;
            w1 += 16;
        } while (x != end);
    }
}

/* The same with `length` codes of each patch that are wide already. Alone in a function, where a compiler has registers for all sums. */
TARN_NOINLINE static TARN_UNUSED void tarn_int_conv2d_avx2_wide(tarn_int_conv2d_avx2_sums *s, const int16_t *x, int32_t length,
                                                                const int8_t *w0, const int8_t *w1, int32_t raised)
{
    const ptrdiff_t bytes = (ptrdiff_t)4 * length;
    __m256i a0 = _mm256_setzero_si256();
    __m256i a1 = a0;
    __m256i a2 = a0;
    __m256i a3 = a0;
    __m256i b0 = a0;
    __m256i b1 = a0;
    __m256i b2 = a0;
    __m256i b3 = a0;
    ptrdiff_t at = 0;
    do {
        const __m256i wa = tarn_int_avx2_weights(w0 + at, raised);
        const __m256i wb = tarn_int_avx2_weights(w1 + at, raised);
        __m256i codes = tarn_int_avx2_wide(x);
        a0 = tarn_int_avx2_mac(a0, wa, codes);
        b0 = tarn_int_avx2_mac(b0, wb, codes);
        codes = tarn_int_avx2_wide(x + TARN_INT_CONV2D_AVX2_WIDE);
        a1 = tarn_int_avx2_mac(a1, wa, codes);
        b1 = tarn_int_avx2_mac(b1, wb, codes);
        codes = tarn_int_avx2_wide(x + (2 * TARN_INT_CONV2D_AVX2_WIDE));
        a2 = tarn_int_avx2_mac(a2, wa, codes);
        b2 = tarn_int_avx2_mac(b2, wb, codes);
        codes = tarn_int_avx2_wide(x + (3 * TARN_INT_CONV2D_AVX2_WIDE));
        a3 = tarn_int_avx2_mac(a3, wa, codes);
        b3 = tarn_int_avx2_mac(b3, wb, codes);
        x += 4;
        at += 16;
    } while (at != bytes);
    s->a0 = a0;
    s->a1 = a1;
    s->a2 = a2;
    s->a3 = a3;
    s->b0 = b0;
    s->b1 = b1;
    s->b2 = b2;
    s->b3 = b3;
}

/* Eight outputs of four patches at a time: `next` codes apart, or widened already (`wide`, else NULL). */
TARN_FORCE_INLINE void tarn_int_conv2d_avx2_four(const tarn_int_conv2d_s8_params *p, const tarn_int_avx2_form *f,
                                                 const tarn_int_conv2d_avx2_runs *runs, ptrdiff_t next, const int16_t *wide,
                                                 const int32_t *total, const int8_t *w, const int32_t *q, const int32_t *w_zero,
                                                 const int32_t *exceptions, int32_t channel, int8_t *y, int32_t raised)
{
    const ptrdiff_t quad = (ptrdiff_t)4 * p->length;
    const ptrdiff_t pitch = p->y_pitch;
    int32_t o;
    for (o = 0; o < p->outputs; o += 8) {
        const int32_t left = p->outputs - o;
        const int8_t *w1 = w + ((left > 4) ? quad : 0);
        tarn_int_avx2_constants k;
        tarn_int_conv2d_avx2_sums s;
        s.a0 = _mm256_setzero_si256();
        s.a1 = s.a0;
        s.a2 = s.a0;
        s.a3 = s.a0;
        s.b0 = s.a0;
        s.b1 = s.a0;
        s.b2 = s.a0;
        s.b3 = s.a0;
        if (wide != NULL) {
            tarn_int_conv2d_avx2_wide(&s, wide, p->length, w, w1, raised);
        } else {
            tarn_int_conv2d_avx2_products(&s, runs, next, w, w1, raised);
        }
        tarn_int_avx2_fetch(&k, q, w_zero, left);
        tarn_int_avx2_finish(f, &k, exceptions, channel + o, s.a0, s.b0, total[0], y + o, left, raised);
        tarn_int_avx2_finish(f, &k, exceptions, channel + o, s.a1, s.b1, total[1], y + pitch + o, left, raised);
        tarn_int_avx2_finish(f, &k, exceptions, channel + o, s.a2, s.b2, total[2], y + (2 * pitch) + o, left, raised);
        tarn_int_avx2_finish(f, &k, exceptions, channel + o, s.a3, s.b3, total[3], y + (3 * pitch) + o, left, raised);
        w += 2 * quad;
        q += 24;
        if (raised != 0) {
            w_zero += 8;
        }
    }
}

/* Can patches be read from the lines, in runs of whole steps of four codes? */
TARN_INLINE int32_t tarn_int_conv2d_avx2_direct(const tarn_int_conv2d_s8_params *p, const int8_t *const *x)
{
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        if (x[row] == NULL) {
            return 0;
        }
    }
    return (((p->taps * p->inputs) & 3) == 0) && ((p->taps == 1) || ((p->x_pitch == p->inputs) && (p->dilation[1] == 1)));
}

/* Are patches, the last of which begins `last` codes behind the first, left alone by what is written? */
TARN_INLINE int32_t tarn_int_conv2d_avx2_apart(const tarn_int_conv2d_avx2_runs *runs, ptrdiff_t last, const int8_t *y,
                                               ptrdiff_t bytes)
{
    int32_t row;
    for (row = 0; row < runs->rows; ++row) {
        if (tarn_int_avx2_apart(runs->x[row] + runs->offset, last + runs->run, y, bytes) == 0) {
            return 0;
        }
    }
    return 1;
}

/* Four patches of a group, `next` codes apart: widened, and their sums where `raised`. lying: where they lie, or NULL. */
TARN_FORCE_INLINE void tarn_int_conv2d_avx2_fill(const tarn_int_conv2d_s8_params *p, const int8_t *const *x,
                                                 const tarn_int_conv2d_avx2_runs *lying, ptrdiff_t next, int32_t group, int32_t column,
                                                 int8_t *scratch, int16_t *wide, int32_t *total, int32_t raised)
{
    int32_t i;
    for (i = 0; i < 4; ++i) {
        if (lying != NULL) {
            int16_t *to = wide;
            int32_t row;
            for (row = 0; row < lying->rows; ++row) {
                tarn_int_avx2_widen(to, lying->x[row] + lying->offset + (i * next), lying->run,
                                    (raised != 0) ? lying->flip : _mm_setzero_si128(), raised);
                to += lying->run;
            }
            total[i] = (raised != 0) ? tarn_int_conv2d_avx2_total(lying, i * next) : 0;
        } else {
            int_conv2d_gather_s8(p, x, group * p->inputs, column + (i * p->stride[1]), 1, (raised != 0) ? -128 : 0, scratch);
            tarn_int_avx2_widen(wide, scratch, p->length, _mm_setzero_si128(), raised);
            total[i] = (raised != 0) ? tarn_int_avx2_total(scratch, p->length, _mm_setzero_si128()) : 0;
        }
        wide += TARN_INT_CONV2D_AVX2_WIDE;
    }
}

/* raised: w_zero is not NULL. */
TARN_FORCE_INLINE void tarn_int_conv2d_avx2_pixels(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, const int8_t *w,
                                                   const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                                   int32_t first, int32_t end, int8_t *scratch, int32_t raised)
{
    const int32_t channels = ((p->outputs + 3) / 4) * 4;
    const int32_t direct = tarn_int_conv2d_avx2_direct(p, x);
    const ptrdiff_t next = (ptrdiff_t)p->stride[1] * p->x_pitch;
    const ptrdiff_t all_inputs = (ptrdiff_t)(p->groups - 1) * p->inputs;
    const ptrdiff_t all_outputs = (ptrdiff_t)p->groups * p->outputs;
    const int32_t reach = (p->taps - 1) * p->dilation[1];
    const int8_t *patch = scratch;
    tarn_int_conv2d_avx2_runs lying;
    tarn_int_conv2d_avx2_runs gathered;
    const int32_t is_wide = p->length <= TARN_INT_CONV2D_AVX2_WIDE;
    int16_t wide[4 * TARN_INT_CONV2D_AVX2_WIDE];
    int32_t total[4] = {0, 0, 0, 0};
    tarn_int_avx2_form f;
    int32_t pixel = first;
    int32_t at_once;
    lying.x = x;
    lying.rows = p->rows;
    lying.run = p->taps * p->inputs;
    lying.flip = _mm_set1_epi8(-128);
    gathered.x = &patch;
    gathered.offset = 0;
    gathered.rows = 1;
    gathered.run = p->length;
    gathered.flip = _mm_setzero_si128();
    tarn_int_avx2_begin(&f, &p->requant);
    for (; pixel < end; pixel += at_once) {
        const int32_t column = (pixel * p->stride[1]) - p->pad[1];
        const int32_t inside = (direct != 0) && (column >= 0) && ((column + reach) < p->in_pixels);
        int8_t *to = y + ((ptrdiff_t)pixel * p->y_pitch);
        int32_t group = 0;
        const int32_t all_inside = (inside != 0) && ((column + (3 * p->stride[1]) + reach) < p->in_pixels);
        int32_t four = ((pixel + 4) <= end) && ((is_wide != 0) || (all_inside != 0));
        int32_t channel = 0;
        lying.offset = (ptrdiff_t)column * p->x_pitch;
        /* Widened, patches of one group are all read before anything is written. */
        if ((four != 0) && ((is_wide == 0) || (p->groups > 1))) {
            four = (all_inside != 0) && (tarn_int_conv2d_avx2_apart(&lying, (3 * next) + all_inputs, to,
                                                                    (3 * (ptrdiff_t)p->y_pitch) + all_outputs) != 0);
        }
        at_once = (four != 0) ? 4 : 1;
        do {
            const int8_t *weights = w + ((ptrdiff_t)channel * p->length);
            const int32_t *constants = q + ((ptrdiff_t)channel * 3);
            const int32_t *zeros = (raised != 0) ? (w_zero + channel) : NULL;
            if ((four != 0) && (is_wide != 0)) {
                tarn_int_conv2d_avx2_fill(p, x, (all_inside != 0) ? &lying : NULL, next, group, column, scratch, wide, total, raised);
                tarn_int_conv2d_avx2_four(p, &f, &lying, next, wide, total, weights, constants, zeros, exceptions, channel, to, raised);
            } else if (four != 0) {
                int32_t i;
                for (i = 0; (raised != 0) && (i < 4); ++i) {
                    total[i] = tarn_int_conv2d_avx2_total(&lying, i * next);
                }
                tarn_int_conv2d_avx2_four(p, &f, &lying, next, NULL, total, weights, constants, zeros, exceptions, channel, to, raised);
            } else if ((inside != 0) && (tarn_int_conv2d_avx2_apart(&lying, 0, to, p->outputs) != 0)) {
                tarn_int_conv2d_avx2_sixteen(p, &f, &lying, weights, constants, zeros, exceptions, channel, to, raised);
            } else {
                int_conv2d_gather_s8(p, x, group * p->inputs, column, 1, (raised != 0) ? -128 : 0, scratch);
                tarn_int_conv2d_avx2_sixteen(p, &f, &gathered, weights, constants, zeros, exceptions, channel, to, raised);
            }
            lying.offset += p->inputs;
            to += p->outputs;
            channel += channels;
            ++group;
        } while (group != p->groups);
    }
}

TARN_INLINE void tarn_int_conv2d_avx2_line(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, const int8_t *w,
                                           const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                           int32_t first, int32_t end, int8_t *scratch)
{
    if (w_zero != NULL) {
        tarn_int_conv2d_avx2_pixels(p, x, w, q, w_zero, exceptions, y, first, end, scratch, 1);
    } else {
        tarn_int_conv2d_avx2_pixels(p, x, w, q, NULL, exceptions, y, first, end, scratch, 0);
    }
}

#endif
#endif
