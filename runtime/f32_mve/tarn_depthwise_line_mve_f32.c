/* SPDX-License-Identifier: MIT-0 */
#include "tarn_depthwise_line_mve_f32.h"
#include "tarn_ends_mve_f32.h"

/* Four channels of some pixels. */
typedef struct {
    const tarn_depthwise_line_mve_f32_params *p;
    const float *const *rows;
    const float *w, *bias;
    ptrdiff_t offset;       /* of the first tap's channels in each row */
    int32_t tap0, taps;     /* those inside the line */
    int32_t three;          /* three taps, as far apart as the pixels */
} depthwise_tile_mve_f32;

TARN_FORCE_INLINE void depthwise_get_mve_f32(tarn_fours_mve_f32 *to, const float *x, tarn_some_mve_f32 some, int32_t whole)
{
    if (whole != 0) {
        tarn_get_mve_f32(to, x);
    } else {
        tarn_get_some_mve_f32(to, x, some);
    }
}

TARN_FORCE_INLINE void depthwise_put_mve_f32(float *to, const tarn_fours_mve_f32 *from, tarn_some_mve_f32 some, int32_t whole)
{
    if (whole != 0) {
        tarn_put_mve_f32(to, from);
    } else {
        tarn_put_some_mve_f32(to, from, some);
    }
}

typedef struct {
    tarn_fours_mve_f32 s0, s1, s2, s3;
} depthwise_sums_mve_f32;

/* Any taps, of one pixel or four. */
TARN_FORCE_INLINE void depthwise_row_mve_f32(depthwise_sums_mve_f32 *s, const float *x, ptrdiff_t column, ptrdiff_t step, const float *w,
                                             int32_t taps, tarn_some_mve_f32 some, int32_t pixels, int32_t whole)
{
    const float *x0 = x;
    const float *x1 = (pixels > 1) ? (x0 + step) : x0;
    const float *x2 = (pixels > 1) ? (x1 + step) : x0;
    const float *x3 = (pixels > 1) ? (x2 + step) : x0;
    const float *w_at = w;
    int32_t left;
    for (left = taps; left > 0; --left) {
        tarn_fours_mve_f32 q;
        tarn_fours_mve_f32 v;
        tarn_get_mve_f32(&q, w_at);
        depthwise_get_mve_f32(&v, x0, some, whole);
        tarn_mac_mve_f32(&s->s0, &q, &v);
        if (pixels > 1) {
            depthwise_get_mve_f32(&v, x1, some, whole);
            tarn_mac_mve_f32(&s->s1, &q, &v);
            depthwise_get_mve_f32(&v, x2, some, whole);
            tarn_mac_mve_f32(&s->s2, &q, &v);
            depthwise_get_mve_f32(&v, x3, some, whole);
            tarn_mac_mve_f32(&s->s3, &q, &v);
        }
        w_at += 4;
        x0 += column;
        x1 += column;
        x2 += column;
        x3 += column;
    }
}

/* Four vectors of outputs, `step` apart, or the first alone: of four pixels or of one. */
TARN_FORCE_INLINE void depthwise_end_mve_f32(depthwise_sums_mve_f32 *s, const tarn_ends_mve_f32 *to, int32_t count, int32_t vectors,
                                             ptrdiff_t step, int32_t whole)
{
    if (to->r != NULL) {
        tarn_fours_mve_f32 all[4];
        all[0] = s->s0;
        all[1] = s->s1;
        all[2] = s->s2;
        all[3] = s->s3;
        tarn_ends_mve_f32_any(to, all, (count > 4) ? 1 : vectors, count);
    } else {
        const tarn_some_mve_f32 some = tarn_first_mve_f32(count);
        if (to->bounded != 0) {
            tarn_clamp_mve_f32(&s->s0, to->lo, to->hi);
            if (vectors > 1) {
                tarn_clamp_mve_f32(&s->s1, to->lo, to->hi);
                tarn_clamp_mve_f32(&s->s2, to->lo, to->hi);
                tarn_clamp_mve_f32(&s->s3, to->lo, to->hi);
            }
        }
        depthwise_put_mve_f32(to->y, &s->s0, some, whole);
        if (vectors > 1) {
            depthwise_put_mve_f32(to->y + step, &s->s1, some, whole);
            depthwise_put_mve_f32(to->y + (2 * step), &s->s2, some, whole);
            depthwise_put_mve_f32(to->y + (3 * step), &s->s3, some, whole);
        }
    }
}

#if TARN_MVE_SOME_ASM

#define DEPTHWISE_MAC(s, w) "vfma.f32 %q[" s "]," w ",q7\n\t"
#define DEPTHWISE_NEXT(load) load " q7,[%[x]]\n\tadd %[x],%[column]\n\t"
/* Three taps as far apart as the pixels: each column is read once. */
#define DEPTHWISE_THREE(load)                                                                                              \
    "vctp.32 %[count]\n\tdls lr,%[n]\n"                                                                                    \
    "1:\n\tldr %[x],[%[row]],#4\n\tcbz %[x],2f\n\tadd %[x],%[offset]\n\t"                                                  \
    "vldrw.32 q4,[%[w]]\n\tvldrw.32 q5,[%[w],#16]\n\tvldrw.32 q6,[%[w],#32]\n\t"                                        \
    DEPTHWISE_NEXT(load) DEPTHWISE_MAC("s0", "q4")                                                                         \
    DEPTHWISE_NEXT(load) DEPTHWISE_MAC("s0", "q5") DEPTHWISE_MAC("s1", "q4")                                               \
    DEPTHWISE_NEXT(load) DEPTHWISE_MAC("s0", "q6") DEPTHWISE_MAC("s1", "q5") DEPTHWISE_MAC("s2", "q4")                     \
    DEPTHWISE_NEXT(load) DEPTHWISE_MAC("s1", "q6") DEPTHWISE_MAC("s2", "q5") DEPTHWISE_MAC("s3", "q4")                     \
    DEPTHWISE_NEXT(load) DEPTHWISE_MAC("s2", "q6") DEPTHWISE_MAC("s3", "q5")                                               \
    DEPTHWISE_NEXT(load) DEPTHWISE_MAC("s3", "q6")                                                                         \
    "2:\n\tadd %[w],#48\n\tle lr,1b"
#define DEPTHWISE_THREE_OPERANDS                                                                                           \
    : [s0] "+w"(s->s0), [s1] "+w"(s->s1), [s2] "+w"(s->s2), [s3] "+w"(s->s3), [row] "+r"(row), [w] "+r"(w), [x] "=&l"(x)     \
    : [column] "r"(column), [offset] "r"(offset), [n] "r"(t->p->rows), [count] "r"(count)                                  \
    : "lr", "q4", "q5", "q6", "q7", "p0", "cc", "memory"

/* All rows of four pixels. */
TARN_FORCE_INLINE void depthwise_three_mve_f32(const depthwise_tile_mve_f32 *t, depthwise_sums_mve_f32 *s, int32_t count, int32_t whole)
{
    const ptrdiff_t column = (ptrdiff_t)4 * t->p->dilation * t->p->x_pitch;
    const ptrdiff_t offset = (ptrdiff_t)4 * t->offset;
    const float *const *row = t->rows;
    const float *w = t->w;
    const float *x;
    if (whole != 0) {
        __asm__ volatile(DEPTHWISE_THREE("vldrw.32") DEPTHWISE_THREE_OPERANDS);
    } else {
        __asm__ volatile(DEPTHWISE_THREE("vpst\n\tvldrwt.32") DEPTHWISE_THREE_OPERANDS);
    }
}

#endif

/* Rows of any taps, of one pixel or four. */
TARN_FORCE_INLINE void depthwise_rows_mve_f32(const depthwise_tile_mve_f32 *t, depthwise_sums_mve_f32 *s, int32_t count, int32_t pixels,
                                              int32_t whole)
{
    const tarn_depthwise_line_mve_f32_params *p = t->p;
    const tarn_some_mve_f32 some = tarn_first_mve_f32(count);
    const ptrdiff_t step = (ptrdiff_t)p->stride * p->x_pitch;
    const ptrdiff_t column = (ptrdiff_t)p->dilation * p->x_pitch;
    const float *w = t->w + ((ptrdiff_t)4 * t->tap0);
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        if ((t->rows[row] != NULL) && (t->taps > 0)) {
            depthwise_row_mve_f32(s, t->rows[row] + t->offset, column, step, w, t->taps, some, pixels, whole);
        }
        w += (ptrdiff_t)4 * p->taps;
    }
}

/* `count` of four channels. `pixels` (4 or 1) and `whole` (all four) are constants of the callers. */
TARN_FORCE_INLINE void depthwise_pixels_mve_f32(const depthwise_tile_mve_f32 *t, const tarn_ends_mve_f32 *to, int32_t count,
                                                int32_t pixels, int32_t whole)
{
    depthwise_sums_mve_f32 s;
    if (t->bias != NULL) {
        tarn_get_mve_f32(&s.s0, t->bias);
    } else {
        tarn_all_mve_f32(&s.s0, 0.0F);
    }
    s.s1 = s.s0;
    s.s2 = s.s0;
    s.s3 = s.s0;
#if TARN_MVE_SOME_ASM
    if ((pixels > 1) && (t->three != 0)) {
        depthwise_three_mve_f32(t, &s, count, whole);
    } else {
        depthwise_rows_mve_f32(t, &s, count, pixels, whole);
    }
#else
    depthwise_rows_mve_f32(t, &s, count, pixels, whole);
#endif
    depthwise_end_mve_f32(&s, to, count, (pixels > 1) ? 4 : 1, to->y_pitch, whole);
}

/* Sixteen channels of one pixel. */
TARN_FORCE_INLINE void depthwise_sixteen_mve_f32(const depthwise_tile_mve_f32 *t, const tarn_ends_mve_f32 *to, ptrdiff_t quad)
{
    const tarn_depthwise_line_mve_f32_params *p = t->p;
    const ptrdiff_t column = (ptrdiff_t)p->dilation * p->x_pitch;
    const float *w = t->w + ((ptrdiff_t)4 * t->tap0);
    depthwise_sums_mve_f32 s;
    int32_t row;
    tarn_all_mve_f32(&s.s0, 0.0F);
    s.s1 = s.s0;
    s.s2 = s.s0;
    s.s3 = s.s0;
    if (t->bias != NULL) {
        tarn_get_mve_f32(&s.s0, t->bias);
        tarn_get_mve_f32(&s.s1, t->bias + 4);
        tarn_get_mve_f32(&s.s2, t->bias + 8);
        tarn_get_mve_f32(&s.s3, t->bias + 12);
    }
    for (row = 0; row < p->rows; ++row) {
        if (t->rows[row] != NULL) {
            const float *x = t->rows[row] + t->offset;
            const float *w0 = w;
            const float *w1 = w0 + quad;
            const float *w2 = w1 + quad;
            const float *w3 = w2 + quad;
            int32_t left;
            for (left = t->taps; left > 0; --left) {
                tarn_fours_mve_f32 q;
                tarn_fours_mve_f32 v;
                tarn_get_mve_f32(&q, w0);
                tarn_get_mve_f32(&v, x);
                tarn_mac_mve_f32(&s.s0, &q, &v);
                tarn_get_mve_f32(&q, w1);
                tarn_get_mve_f32(&v, x + 4);
                tarn_mac_mve_f32(&s.s1, &q, &v);
                tarn_get_mve_f32(&q, w2);
                tarn_get_mve_f32(&v, x + 8);
                tarn_mac_mve_f32(&s.s2, &q, &v);
                tarn_get_mve_f32(&q, w3);
                tarn_get_mve_f32(&v, x + 12);
                tarn_mac_mve_f32(&s.s3, &q, &v);
                x += column;
                w0 += 4;
                w1 += 4;
                w2 += 4;
                w3 += 4;
            }
        }
        w += (ptrdiff_t)4 * p->taps;
    }
    depthwise_end_mve_f32(&s, to, 16, 4, 4, 1);
}

TARN_FORCE_INLINE void depthwise_next_mve_f32(depthwise_tile_mve_f32 *t, tarn_ends_mve_f32 *to, ptrdiff_t quad, int32_t quads)
{
    t->w += quads * quad;
    t->bias = (t->bias != NULL) ? (t->bias + ((ptrdiff_t)quads * 4)) : NULL;
    t->offset += (ptrdiff_t)quads * 4;
    tarn_ends_next_mve_f32(to, quads * 4);
}

TARN_FORCE_INLINE void depthwise_channels_mve_f32(depthwise_tile_mve_f32 *t, tarn_ends_mve_f32 *to, int32_t pixels)
{
    const ptrdiff_t quad = (ptrdiff_t)4 * t->p->rows * t->p->taps;
    int32_t left = t->p->channels;
    if (pixels == 1) {
        for (; left >= 16; left -= 16) {
            depthwise_sixteen_mve_f32(t, to, quad);
            depthwise_next_mve_f32(t, to, quad, 4);
        }
    }
    for (; left >= 4; left -= 4) {
        depthwise_pixels_mve_f32(t, to, 4, pixels, 1);
        depthwise_next_mve_f32(t, to, quad, 1);
    }
    if (left > 0) {
        depthwise_pixels_mve_f32(t, to, left, pixels, 0);
    }
}

TARN_API void tarn_depthwise_line_mve_f32(const tarn_depthwise_line_mve_f32_params *p, const float *const *rows, const float *w,
                                          const float *b, const float *r, float *y, int32_t first, int32_t end, int32_t block)
{
    const int32_t span = ((p->taps - 1) * p->dilation) + 1;
    tarn_ends_mve_f32 to;
    depthwise_tile_mve_f32 t;
    int32_t pixel = first;
    tarn_ends_begin_mve_f32(&to, p->lo, p->hi, p->r_pitch, p->y_pitch);
    t.p = p;
    t.rows = rows;
    t.three = (p->taps == 3) && (p->rows > 0) && (p->stride == p->dilation);
    while (pixel < end) {
        const int32_t at = (pixel * p->stride) - p->pad;
        const int32_t four = (block != 0) && (at >= 0) && ((pixel + 4) <= end) && ((at + (3 * p->stride) + span) <= p->in_pixels);
        int32_t tap0 = 0;
        int32_t tap1 = p->taps;
        while ((tap0 < tap1) && ((at + (tap0 * p->dilation)) < 0)) {
            ++tap0;
        }
        while ((tap1 > tap0) && ((at + ((tap1 - 1) * p->dilation)) >= p->in_pixels)) {
            --tap1;
        }
        t.w = w;
        t.bias = b;
        t.tap0 = tap0;
        t.taps = tap1 - tap0;
        t.offset = (ptrdiff_t)(at + (tap0 * p->dilation)) * p->x_pitch;
        tarn_ends_at_mve_f32(&to, r, y, pixel);
        if (four != 0) {
            depthwise_channels_mve_f32(&t, &to, 4);
            pixel += 4;
        } else {
            depthwise_channels_mve_f32(&t, &to, 1);
            ++pixel;
        }
    }
}
