/* SPDX-License-Identifier: MIT-0 */
#include "tarn_depthwise_line_v8_f32.h"
#include "tarn_tile_v8_f32.h"

#define DEPTHWISE_PIXELS_V8 4  /* at a time, where the kernel lies inside the line */
#define DEPTHWISE_VECTORS_V8 4 /* of channels at a time elsewhere: enough sums that none waits for itself */

typedef struct {
    const tarn_depthwise_line_v8_f32_params *p;
    const float *const *rows;
    const float *w, *bias, *r; /* at channel c */
    float *y;
    int32_t c;
} depthwise_part_v8;

/* Inputs of one tap; beyond the last channel they are zero. */
TARN_FORCE_INLINE void depthwise_get_v8(tarn_lanes_v8 *to, const float *x, int32_t count)
{
    if (count >= TARN_LANES_V8) {
        tarn_get_v8(to, x);
    } else {
        tarn_get_some_v8(to, x, count);
    }
}

TARN_FORCE_INLINE void depthwise_begin_v8(const depthwise_part_v8 *t, tarn_lanes_v8 *s, int32_t vector)
{
    if (t->bias != NULL) {
        tarn_get_v8(s, t->bias + ((ptrdiff_t)TARN_LANES_V8 * vector));
    } else {
        tarn_all_v8(s, 0.0F);
    }
}

TARN_FORCE_INLINE void depthwise_put_v8(const depthwise_part_v8 *t, tarn_lanes_v8 *s, int32_t pixel, int32_t vector, int32_t count)
{
    const ptrdiff_t at = (ptrdiff_t)TARN_LANES_V8 * vector;
    const float *r = (t->r != NULL) ? (t->r + ((ptrdiff_t)pixel * t->p->r_pitch) + at) : NULL;
    tarn_finish_v8(s, r, t->p->lo, t->p->hi, t->y + ((ptrdiff_t)pixel * t->p->y_pitch) + at, count);
}

/* One tap of one vector. */
TARN_FORCE_INLINE void depthwise_tap_v8(tarn_lanes_v8 *s, const float *w, const float *x, int32_t count)
{
    tarn_lanes_v8 q;
    tarn_lanes_v8 v;
    tarn_get_v8(&q, w);
    depthwise_get_v8(&v, x, count);
    tarn_mac_v8(s, &q, &v);
}

/* The taps [tap0, tap1) of one pixel, one vector or four. */
TARN_FORCE_INLINE void depthwise_taps_v8(const depthwise_part_v8 *t, int32_t pixel, int32_t tap0, int32_t tap1, int32_t vectors)
{
    const tarn_depthwise_line_v8_f32_params *p = t->p;
    const int32_t count = (vectors > 1) ? TARN_LANES_V8 : (p->channels - t->c);
    const int32_t at = (pixel * p->stride) - p->pad;
    const ptrdiff_t next = (ptrdiff_t)TARN_LANES_V8 * p->rows * p->taps;
    const ptrdiff_t column = (ptrdiff_t)p->dilation * p->x_pitch;
    tarn_lanes_v8 s0;
    tarn_lanes_v8 s1;
    tarn_lanes_v8 s2;
    tarn_lanes_v8 s3;
    int32_t row;
    depthwise_begin_v8(t, &s0, 0);
    if (vectors > 1) {
        depthwise_begin_v8(t, &s1, 1);
        depthwise_begin_v8(t, &s2, 2);
        depthwise_begin_v8(t, &s3, 3);
    }
    for (row = 0; row < p->rows; ++row) {
        const float *w = t->w + ((ptrdiff_t)TARN_LANES_V8 * ((row * p->taps) + tap0));
        const float *x;
        int32_t tap;
        if (t->rows[row] == NULL) {
            continue;
        }
        x = t->rows[row] + ((ptrdiff_t)(at + (tap0 * p->dilation)) * p->x_pitch) + t->c;
        for (tap = tap0; tap < tap1; ++tap) {
            depthwise_tap_v8(&s0, w, x, count);
            if (vectors > 1) {
                depthwise_tap_v8(&s1, w + next, x + TARN_LANES_V8, count);
                depthwise_tap_v8(&s2, w + (2 * next), x + ((ptrdiff_t)2 * TARN_LANES_V8), count);
                depthwise_tap_v8(&s3, w + (3 * next), x + ((ptrdiff_t)3 * TARN_LANES_V8), count);
            }
            w += TARN_LANES_V8;
            x += column;
        }
    }
    depthwise_put_v8(t, &s0, pixel, 0, count);
    if (vectors > 1) {
        depthwise_put_v8(t, &s1, pixel, 1, count);
        depthwise_put_v8(t, &s2, pixel, 2, count);
        depthwise_put_v8(t, &s3, pixel, 3, count);
    }
}

static void depthwise_single_v8(const depthwise_part_v8 *t, int32_t pixel, int32_t vectors)
{
    const tarn_depthwise_line_v8_f32_params *p = t->p;
    const int32_t at = (pixel * p->stride) - p->pad;
    int32_t tap0 = 0;
    int32_t tap1 = p->taps;
    while ((tap0 < tap1) && ((at + (tap0 * p->dilation)) < 0)) {
        ++tap0;
    }
    while ((tap1 > tap0) && ((at + ((tap1 - 1) * p->dilation)) >= p->in_pixels)) {
        --tap1;
    }
    if (vectors > 1) {
        depthwise_taps_v8(t, pixel, tap0, tap1, DEPTHWISE_VECTORS_V8);
    } else {
        depthwise_taps_v8(t, pixel, tap0, tap1, 1);
    }
}

/* Sums of up to six pixels beside each other. */
typedef struct {
    tarn_lanes_v8 a, b, c, d, e, f;
} depthwise_sums_v8;

/* Adds the product with a tap to the sum of a pixel, if it is one of `pixels`; both are constants. */
TARN_FORCE_INLINE void depthwise_add_v8(depthwise_sums_v8 *s, int32_t pixel, int32_t pixels, const tarn_lanes_v8 *w, const tarn_lanes_v8 *v)
{
    if ((pixel < 0) || (pixel >= pixels)) {
        return;
    }
    switch (pixel) {
        case 0: tarn_mac_v8(&s->a, w, v); break;
        case 1: tarn_mac_v8(&s->b, w, v); break;
        case 2: tarn_mac_v8(&s->c, w, v); break;
        case 3: tarn_mac_v8(&s->d, w, v); break;
        case 4: tarn_mac_v8(&s->e, w, v); break;
        default: tarn_mac_v8(&s->f, w, v); break;
    }
}

/* Three taps beside each other, and where they are. */
typedef struct {
    tarn_lanes_v8 w0, w1, w2;
    const float *row;
    ptrdiff_t at;     /* what lies under the first tap of the first pixel */
    ptrdiff_t pitch;
    int32_t from, to; /* columns from there on that lie inside the line */
} depthwise_three_v8;

/* What column j gives to the pixels under whose kernel it lies; constants: j, stride, pixels, inside. */
TARN_FORCE_INLINE void depthwise_column_v8(depthwise_sums_v8 *s, const depthwise_three_v8 *t, int32_t j, int32_t stride, int32_t pixels,
                                           int32_t inside)
{
    if ((j <= (((pixels - 1) * stride) + 2)) && ((inside != 0) || ((j >= t->from) && (j < t->to)))) {
        tarn_lanes_v8 v;
        tarn_get_v8(&v, t->row + (t->at + (j * t->pitch)));
        if ((stride == 1) || ((j % 2) == 0)) {
            depthwise_add_v8(s, j / stride, pixels, &t->w0, &v);
            depthwise_add_v8(s, (j / stride) - (2 / stride), pixels, &t->w2, &v);
        }
        if ((stride == 1) || ((j % 2) == 1)) {
            depthwise_add_v8(s, (j - 1) / stride, pixels, &t->w1, &v);
        }
    }
}

/* One row of three taps: every column is read once. */
TARN_FORCE_INLINE void depthwise_row_v8(depthwise_sums_v8 *s, const depthwise_three_v8 *t, int32_t stride, int32_t pixels, int32_t inside)
{
    depthwise_column_v8(s, t, 0, stride, pixels, inside);
    depthwise_column_v8(s, t, 1, stride, pixels, inside);
    depthwise_column_v8(s, t, 2, stride, pixels, inside);
    depthwise_column_v8(s, t, 3, stride, pixels, inside);
    depthwise_column_v8(s, t, 4, stride, pixels, inside);
    depthwise_column_v8(s, t, 5, stride, pixels, inside);
    depthwise_column_v8(s, t, 6, stride, pixels, inside);
    depthwise_column_v8(s, t, 7, stride, pixels, inside);
    depthwise_column_v8(s, t, 8, stride, pixels, inside);
    depthwise_column_v8(s, t, 9, stride, pixels, inside);
    depthwise_column_v8(s, t, 10, stride, pixels, inside);
    depthwise_column_v8(s, t, 11, stride, pixels, inside);
    depthwise_column_v8(s, t, 12, stride, pixels, inside);
}
/* Three taps of `pixels` pixels, all lanes of one vector. inside: the whole kernel lies in the line. */
TARN_FORCE_INLINE void depthwise_tile_v8(const depthwise_part_v8 *t, int32_t pixel, int32_t vector, int32_t stride, int32_t pixels,
                                         int32_t inside)
{
    const tarn_depthwise_line_v8_f32_params *p = t->p;
    const int32_t at = (pixel * stride) - p->pad;
    const float *w = t->w + ((ptrdiff_t)TARN_LANES_V8 * vector * p->rows * 3);
    depthwise_three_v8 three;
    depthwise_sums_v8 s;
    int32_t row;
    three.at = ((ptrdiff_t)at * p->x_pitch) + t->c + ((ptrdiff_t)TARN_LANES_V8 * vector);
    three.pitch = p->x_pitch;
    three.from = -at;
    three.to = p->in_pixels - at;
    depthwise_begin_v8(t, &s.a, vector);
    s.b = s.a;
    s.c = s.a;
    s.d = s.a;
    s.e = s.a;
    s.f = s.a;
    for (row = 0; row < p->rows; ++row) {
        if (t->rows[row] != NULL) {
            three.row = t->rows[row];
            tarn_get_v8(&three.w0, w);
            tarn_get_v8(&three.w1, w + TARN_LANES_V8);
            tarn_get_v8(&three.w2, w + ((ptrdiff_t)2 * TARN_LANES_V8));
            depthwise_row_v8(&s, &three, stride, pixels, inside);
        }
        w += (ptrdiff_t)TARN_LANES_V8 * 3;
    }
    depthwise_put_v8(t, &s.a, pixel, vector, TARN_LANES_V8);
    if (pixels > 1) {
        depthwise_put_v8(t, &s.b, pixel + 1, vector, TARN_LANES_V8);
    }
    if (pixels > 2) {
        depthwise_put_v8(t, &s.c, pixel + 2, vector, TARN_LANES_V8);
    }
    if (pixels > 3) {
        depthwise_put_v8(t, &s.d, pixel + 3, vector, TARN_LANES_V8);
    }
    if (pixels > 4) {
        depthwise_put_v8(t, &s.e, pixel + 4, vector, TARN_LANES_V8);
    }
    if (pixels > 5) {
        depthwise_put_v8(t, &s.f, pixel + 5, vector, TARN_LANES_V8);
    }
}

TARN_FORCE_INLINE void depthwise_some_v8(const depthwise_part_v8 *t, int32_t pixel, int32_t vector, int32_t stride, int32_t pixels)
{
    switch (pixels) {
        case 1: depthwise_tile_v8(t, pixel, vector, stride, 1, 0); break;
        case 2: depthwise_tile_v8(t, pixel, vector, stride, 2, 0); break;
        case 3: depthwise_tile_v8(t, pixel, vector, stride, 3, 0); break;
        case 4: depthwise_tile_v8(t, pixel, vector, stride, 4, 0); break;
        case 5: depthwise_tile_v8(t, pixel, vector, stride, 5, 0); break;
        default: depthwise_tile_v8(t, pixel, vector, stride, 6, 0); break;
    }
}

/* The pixels [first, end) of whole vectors of channels, three taps beside each other. */
TARN_FORCE_INLINE void depthwise_tiles_v8(const depthwise_part_v8 *t, int32_t first, int32_t end, int32_t vectors, int32_t stride)
{
    const tarn_depthwise_line_v8_f32_params *p = t->p;
    int32_t pixel = first;
    while (pixel < end) {
        const int32_t pixels = tarn_tile_size_v8(end - pixel);
        const int32_t at = (pixel * stride) - p->pad;
        const int32_t inside = (at >= 0) && ((at + ((pixels - 1) * stride) + 3) <= p->in_pixels);
        int32_t vector;
        for (vector = 0; vector < vectors; ++vector) {
            if ((inside != 0) && (pixels == TARN_TILE_PIXELS_V8)) {
                depthwise_tile_v8(t, pixel, vector, stride, TARN_TILE_PIXELS_V8, 1);
            } else {
                depthwise_some_v8(t, pixel, vector, stride, pixels);
            }
        }
        pixel += pixels;
    }
}

static void depthwise_near_v8(const depthwise_part_v8 *t, int32_t first, int32_t end, int32_t vectors)
{
    depthwise_tiles_v8(t, first, end, vectors, 1);
}

static void depthwise_far_v8(const depthwise_part_v8 *t, int32_t first, int32_t end, int32_t vectors)
{
    depthwise_tiles_v8(t, first, end, vectors, 2);
}

/* One tap of four pixels `step` apart. */
TARN_FORCE_INLINE void depthwise_step_v8(depthwise_sums_v8 *s, const float *w, const float *x, ptrdiff_t step)
{
    tarn_lanes_v8 q;
    tarn_lanes_v8 v;
    tarn_get_v8(&q, w);
    tarn_get_v8(&v, x);
    tarn_mac_v8(&s->a, &q, &v);
    tarn_get_v8(&v, x + step);
    tarn_mac_v8(&s->b, &q, &v);
    tarn_get_v8(&v, x + (2 * step));
    tarn_mac_v8(&s->c, &q, &v);
    tarn_get_v8(&v, x + (3 * step));
    tarn_mac_v8(&s->d, &q, &v);
}

/* Four pixels under which the whole kernel lies, all lanes of one vector. */
static void depthwise_four_v8(const depthwise_part_v8 *t, int32_t pixel, int32_t vector)
{
    const tarn_depthwise_line_v8_f32_params *p = t->p;
    const ptrdiff_t column = (ptrdiff_t)p->dilation * p->x_pitch;
    const ptrdiff_t step = (ptrdiff_t)p->stride * p->x_pitch;
    const ptrdiff_t at = ((ptrdiff_t)((pixel * p->stride) - p->pad) * p->x_pitch) + t->c + ((ptrdiff_t)TARN_LANES_V8 * vector);
    const float *w = t->w + ((ptrdiff_t)TARN_LANES_V8 * vector * p->rows * p->taps);
    depthwise_sums_v8 s;
    int32_t row;
    depthwise_begin_v8(t, &s.a, vector);
    s.b = s.a;
    s.c = s.a;
    s.d = s.a;
    for (row = 0; row < p->rows; ++row) {
        if (t->rows[row] != NULL) {
            const float *x = t->rows[row] + at;
            int32_t tap;
            for (tap = 0; tap < p->taps; ++tap) {
                depthwise_step_v8(&s, w + ((ptrdiff_t)TARN_LANES_V8 * tap), x, step);
                x += column;
            }
        }
        w += (ptrdiff_t)TARN_LANES_V8 * p->taps;
    }
    depthwise_put_v8(t, &s.a, pixel, vector, TARN_LANES_V8);
    depthwise_put_v8(t, &s.b, pixel + 1, vector, TARN_LANES_V8);
    depthwise_put_v8(t, &s.c, pixel + 2, vector, TARN_LANES_V8);
    depthwise_put_v8(t, &s.d, pixel + 3, vector, TARN_LANES_V8);
}

/* The pixels [first, end) of one vector of channels, or of four whole ones. */
static void depthwise_pixels_v8(const depthwise_part_v8 *t, int32_t first, int32_t end, int32_t vectors)
{
    const tarn_depthwise_line_v8_f32_params *p = t->p;
    const int32_t whole = (p->channels - t->c) >= TARN_LANES_V8;
    const int32_t span = ((p->taps - 1) * p->dilation) + 1;
    int32_t pixel = first;
    if ((whole != 0) && (p->taps == 3) && (p->dilation == 1) && (p->stride == 1)) {
        depthwise_near_v8(t, first, end, vectors);
        return;
    }
    if ((whole != 0) && (p->taps == 3) && (p->dilation == 1) && (p->stride == 2)) {
        depthwise_far_v8(t, first, end, vectors);
        return;
    }
    while (pixel < end) {
        const int32_t at = (pixel * p->stride) - p->pad;
        const int32_t last = at + ((DEPTHWISE_PIXELS_V8 - 1) * p->stride);
        if ((whole != 0) && (at >= 0) && ((pixel + DEPTHWISE_PIXELS_V8) <= end) && ((last + span) <= p->in_pixels)) {
            int32_t vector;
            for (vector = 0; vector < vectors; ++vector) {
                depthwise_four_v8(t, pixel, vector);
            }
            pixel += DEPTHWISE_PIXELS_V8;
        } else {
            depthwise_single_v8(t, pixel, vectors);
            ++pixel;
        }
    }
}

TARN_API void tarn_depthwise_line_v8_f32(const tarn_depthwise_line_v8_f32_params *p, const float *const *rows, const float *w,
                                         const float *b, const float *r, float *y, int32_t first, int32_t end,
                                         int32_t block)
{
    const int32_t step = (block != 0) ? (end - first) : 1;
    int32_t pixel;
    for (pixel = first; pixel < end; pixel += step) {
        int32_t vectors;
        int32_t c;
        for (c = 0; c < p->channels; c += vectors * TARN_LANES_V8) {
            depthwise_part_v8 t;
            vectors = ((p->channels - c) >= (DEPTHWISE_VECTORS_V8 * TARN_LANES_V8)) ? DEPTHWISE_VECTORS_V8 : 1;
            t.p = p;
            t.rows = rows;
            t.w = w + ((ptrdiff_t)c * p->rows * p->taps);
            t.bias = (b != NULL) ? (b + c) : NULL;
            t.r = (r != NULL) ? (r + c) : NULL;
            t.y = y + c;
            t.c = c;
            depthwise_pixels_v8(&t, pixel, pixel + step, vectors);
        }
    }
}
