/* SPDX-License-Identifier: MIT-0 */
#include "tarn_conv_line_v8_f32.h"
#include "tarn_tile_v8_f32.h"

/* What a pixel reads beyond the ends of a line, so many inputs at a time. */
#define CONV_ZEROS_V8 64
/* So many elements of a line of few inputs are copied with what lies beyond its ends. */
#define CONV_PIECE_V8 160
/* Values under a kernel that are copied for all outputs of a tile. */
#define CONV_FEW_V8 128
/* Longer runs of one row are read where they are. */
#define CONV_RUN_V8 16
static const float conv_zeros_v8[CONV_ZEROS_V8] = {0};

typedef struct {
    const float *const *rows;
    int32_t x_offset; /* of the group within a pixel */
    int32_t at;       /* column under the kernel's first tap of the tile's first pixel */
    const float *wa, *wb, *bias;
} conv_tile_v8;

TARN_FORCE_INLINE const float *conv_inputs_v8(const tarn_conv_line_v8_f32_params *p, const float *row, int32_t column)
{
    return ((column >= 0) && (column < p->in_pixels)) ? (row + ((ptrdiff_t)column * p->x_pitch)) : NULL;
}

TARN_FORCE_INLINE const float *conv_from_v8(const float *x, int32_t input)
{
    return (x != NULL) ? (x + input) : conv_zeros_v8;
}

/* One tap of pixels of which some have it beyond the line. */
TARN_FORCE_INLINE void conv_edge_v8(const tarn_conv_line_v8_f32_params *p, tarn_tile_v8 *s, const float *row, int32_t column,
                                    const float *wa, const float *wb, int32_t pixels, int32_t vectors)
{
    const int32_t step = p->stride;
    const float *x0 = conv_inputs_v8(p, row, column);
    const float *x1 = (pixels > 1) ? conv_inputs_v8(p, row, column + step) : NULL;
    const float *x2 = (pixels > 2) ? conv_inputs_v8(p, row, column + (2 * step)) : NULL;
    const float *x3 = (pixels > 3) ? conv_inputs_v8(p, row, column + (3 * step)) : NULL;
    const float *x4 = (pixels > 4) ? conv_inputs_v8(p, row, column + (4 * step)) : NULL;
    const float *x5 = (pixels > 5) ? conv_inputs_v8(p, row, column + (5 * step)) : NULL;
    int32_t input;
    for (input = 0; input < p->inputs; input += CONV_ZEROS_V8) {
        const int32_t left = p->inputs - input;
        tarn_tile_inputs_v8 x;
        x.x0 = conv_from_v8(x0, input);
        x.x1 = conv_from_v8(x1, input);
        x.x2 = conv_from_v8(x2, input);
        x.x3 = conv_from_v8(x3, input);
        x.x4 = conv_from_v8(x4, input);
        x.x5 = conv_from_v8(x5, input);
        tarn_tile_run_v8(s, &x, wa + ((ptrdiff_t)input * TARN_LANES_V8), wb + ((ptrdiff_t)input * TARN_LANES_V8),
                         (left < CONV_ZEROS_V8) ? left : CONV_ZEROS_V8, pixels, vectors);
    }
}

/* Taps that lie inside the line, `n` inputs in a row; those of the next pixel `step` elements on. */
TARN_FORCE_INLINE void conv_inside_v8(tarn_tile_v8 *s, const float *first, ptrdiff_t step, const float *wa, const float *wb, int32_t n,
                                      int32_t pixels, int32_t vectors)
{
    tarn_tile_inputs_v8 x;
    x.x0 = first;
    x.x1 = (pixels > 1) ? (x.x0 + step) : first;
    x.x2 = (pixels > 2) ? (x.x1 + step) : first;
    x.x3 = (pixels > 3) ? (x.x2 + step) : first;
    x.x4 = (pixels > 4) ? (x.x3 + step) : first;
    x.x5 = (pixels > 5) ? (x.x4 + step) : first;
    tarn_tile_run_v8(s, &x, wa, wb, n, pixels, vectors);
}

TARN_FORCE_INLINE float *conv_fill_v8(float *to, int32_t count)
{
    int32_t i;
    for (i = 0; i < count; ++i) {
        to[i] = 0.0F;
    }
    return to + count;
}

/* A short piece of a line with zeros beyond its ends: `columns` pixels from column `at` on, side by side. */
TARN_INLINE void conv_piece_v8(const tarn_conv_line_v8_f32_params *p, const float *row, int32_t at, int32_t columns, float *to)
{
    const int32_t from = (at < 0) ? ((-at < columns) ? -at : columns) : 0;
    const int32_t end = ((p->in_pixels - at) < columns) ? (p->in_pixels - at) : columns;
    const int32_t run = (p->x_pitch == p->inputs) ? ((end - from) * p->inputs) : p->inputs;
    float *y = conv_fill_v8(to, from * p->inputs);
    int32_t column;
    for (column = from; column < end; column += run / p->inputs) {
        const float *x = row + ((ptrdiff_t)(at + column) * p->x_pitch);
        int32_t i;
        for (i = 0; i < run; ++i) {
            y[i] = x[i];
        }
        y += run;
    }
    (void)conv_fill_v8(y, (columns - ((end > from) ? end : from)) * p->inputs);
}

TARN_FORCE_INLINE void conv_pixels_v8(const tarn_conv_line_v8_f32_params *p, const conv_tile_v8 *t, const tarn_tile_ends_v8 *to,
                                      int32_t pixels, int32_t vectors)
{
    const int32_t span = ((pixels - 1) * p->stride) + ((p->taps - 1) * p->dilation) + 1;
    const int32_t inside = (t->at >= 0) && ((t->at + span) <= p->in_pixels);
    const int32_t piece = (inside == 0) && (span <= (CONV_PIECE_V8 / p->inputs));
    const ptrdiff_t pitch = (piece != 0) ? p->inputs : p->x_pitch;
    /* Neighbouring taps whose channels lie side by side are one long run. */
    const int32_t joined = ((inside != 0) || (piece != 0)) && ((p->dilation * pitch) == p->inputs);
    const int32_t runs = (joined != 0) ? 1 : p->taps;
    const int32_t n = (joined != 0) ? (p->taps * p->inputs) : p->inputs;
    float copied[CONV_PIECE_V8];
    ptrdiff_t w = 0;
    tarn_tile_v8 s;
    int32_t row;
    tarn_tile_start_v8(&s, t->bias, vectors);
    for (row = 0; row < p->rows; ++row) {
        const float *x;
        int32_t run;
        if (t->rows[row] == NULL) {
            w += (ptrdiff_t)TARN_LANES_V8 * p->taps * p->inputs;
            continue;
        }
        x = t->rows[row] + t->x_offset;
        if (piece != 0) {
            conv_piece_v8(p, x, t->at, span, copied);
            x = copied;
        } else if (inside != 0) {
            x += (ptrdiff_t)t->at * p->x_pitch;
        } else {
            /* Columns count from the line's first pixel. */
        }
        for (run = 0; run < runs; ++run) {
            if ((inside != 0) || (piece != 0)) {
                conv_inside_v8(&s, x + ((ptrdiff_t)run * p->dilation * pitch), p->stride * pitch, t->wa + w, t->wb + w, n, pixels, vectors);
            } else {
                conv_edge_v8(p, &s, x, t->at + (run * p->dilation), t->wa + w, t->wb + w, pixels, vectors);
            }
            w += (ptrdiff_t)TARN_LANES_V8 * n;
        }
    }
    tarn_tile_end_v8(&s, to, pixels, vectors);
}

static void conv_two_v8(const tarn_conv_line_v8_f32_params *p, const conv_tile_v8 *t, const tarn_tile_ends_v8 *to, int32_t pixels)
{
    switch (pixels) {
#if TARN_VECTORS
        case 2: conv_pixels_v8(p, t, to, 2, 2); break;
        case 3: conv_pixels_v8(p, t, to, 3, 2); break;
        case 4: conv_pixels_v8(p, t, to, 4, 2); break;
        case 5: conv_pixels_v8(p, t, to, 5, 2); break;
        case 6: conv_pixels_v8(p, t, to, 6, 2); break;
#endif
        default: conv_pixels_v8(p, t, to, 1, 2); break;
    }
}

static void conv_one_v8(const tarn_conv_line_v8_f32_params *p, const conv_tile_v8 *t, const tarn_tile_ends_v8 *to, int32_t pixels)
{
    switch (pixels) {
#if TARN_VECTORS
        case 2: conv_pixels_v8(p, t, to, 2, 1); break;
        case 3: conv_pixels_v8(p, t, to, 3, 1); break;
        case 4: conv_pixels_v8(p, t, to, 4, 1); break;
        case 5: conv_pixels_v8(p, t, to, 5, 1); break;
        case 6: conv_pixels_v8(p, t, to, 6, 1); break;
#endif
        default: conv_pixels_v8(p, t, to, 1, 1); break;
    }
}

TARN_API void tarn_conv_line_v8_f32_part(const tarn_conv_line_v8_f32_params *p, const float *const *rows, int32_t x_offset,
                                         const float *w, const float *b, const float *r, float *y, int32_t first,
                                         int32_t end, int32_t o)
{
    const int32_t two = (p->outputs - o) > TARN_LANES_V8;
    tarn_tile_ends_v8 to;
    conv_tile_v8 t;
    int32_t pixel = first;
    t.rows = rows;
    t.x_offset = x_offset;
    t.wa = w;
    t.wb = (two != 0) ? (w + ((ptrdiff_t)TARN_LANES_V8 * p->rows * p->taps * p->inputs)) : w;
    t.bias = b;
    to.r_pitch = p->r_pitch;
    to.y_pitch = p->y_pitch;
    to.count = p->outputs - o;
    to.lo = p->lo;
    to.hi = p->hi;
    while (pixel < end) {
        const int32_t pixels = tarn_tile_size_v8(end - pixel);
        t.at = (pixel * p->stride) - p->pad;
        to.r = (r != NULL) ? (r + ((ptrdiff_t)pixel * p->r_pitch)) : NULL;
        to.y = y + ((ptrdiff_t)pixel * p->y_pitch);
        if (two != 0) {
            conv_two_v8(p, &t, &to, pixels);
        } else {
            conv_one_v8(p, &t, &to, pixels);
        }
        pixel += pixels;
    }
}

/* The inputs under the kernel of each pixel of a tile. */
TARN_FORCE_INLINE void conv_gather_v8(const tarn_conv_line_v8_f32_params *p, const conv_tile_v8 *t, int32_t pixels, float *to)
{
    const int32_t n = p->taps * p->inputs;
    float *y = to;
    int32_t pixel;
    for (pixel = 0; pixel < pixels; ++pixel) {
        int32_t row;
        for (row = 0; row < p->rows; ++row) {
            if (t->rows[row] != NULL) {
                conv_piece_v8(p, t->rows[row] + t->x_offset, t->at + (pixel * p->stride), p->taps, y);
            } else {
                (void)conv_fill_v8(y, n);
            }
            y += n;
        }
    }
}

TARN_FORCE_INLINE void conv_patch_v8(const float *patches, int32_t n, const conv_tile_v8 *t, const tarn_tile_ends_v8 *to, int32_t pixels,
                                     int32_t vectors)
{
    tarn_tile_v8 s;
    tarn_tile_start_v8(&s, t->bias, vectors);
    conv_inside_v8(&s, patches, n, t->wa, t->wb, n, pixels, vectors);
    tarn_tile_end_v8(&s, to, pixels, vectors);
}

static void conv_patches_v8(const float *patches, int32_t n, const conv_tile_v8 *t, const tarn_tile_ends_v8 *to, int32_t pixels, int32_t two)
{
    if (two == 0) {
        int32_t pixel;
        tarn_tile_ends_v8 one = *to;
        for (pixel = 0; pixel < pixels; ++pixel) {
            conv_patch_v8(patches + ((ptrdiff_t)pixel * n), n, t, &one, 1, 1);
            one.r = (one.r != NULL) ? (one.r + one.r_pitch) : NULL;
            one.y += one.y_pitch;
        }
        return;
    }
    switch (pixels) {
#if TARN_VECTORS
        case 2: conv_patch_v8(patches, n, t, to, 2, 2); break;
        case 3: conv_patch_v8(patches, n, t, to, 3, 2); break;
        case 4: conv_patch_v8(patches, n, t, to, 4, 2); break;
        case 5: conv_patch_v8(patches, n, t, to, 5, 2); break;
        case 6: conv_patch_v8(patches, n, t, to, 6, 2); break;
#endif
        default: conv_patch_v8(patches, n, t, to, 1, 2); break;
    }
}

/* Pixels [first, end) of a group whose inputs under the kernel are few: those of a tile stand side by side for all outputs. */
static void conv_few_v8(const tarn_conv_line_v8_f32_params *p, const float *const *rows, int32_t x_offset, const float *w, const float *b,
                        const float *r, float *y, int32_t first, int32_t end)
{
    const int32_t n = p->rows * p->taps * p->inputs;
    float patches[TARN_TILE_PIXELS_V8 * CONV_FEW_V8];
    int32_t pixel = first;
    while (pixel < end) {
        const int32_t pixels = tarn_tile_size_v8(end - pixel);
        conv_tile_v8 t;
        int32_t o;
        t.rows = rows;
        t.x_offset = x_offset;
        t.at = (pixel * p->stride) - p->pad;
        conv_gather_v8(p, &t, pixels, patches);
        for (o = 0; o < p->outputs; o += 2 * TARN_LANES_V8) {
            const ptrdiff_t vector = (ptrdiff_t)TARN_LANES_V8 * n;
            const int32_t two = (p->outputs - o) > TARN_LANES_V8;
            tarn_tile_ends_v8 to;
            t.wa = w + (o / TARN_LANES_V8 * vector);
            t.wb = (two != 0) ? (t.wa + vector) : t.wa;
            t.bias = (b != NULL) ? (b + o) : NULL;
            to.r_pitch = p->r_pitch;
            to.y_pitch = p->y_pitch;
            to.r = (r != NULL) ? (r + ((ptrdiff_t)pixel * p->r_pitch) + o) : NULL;
            to.y = y + ((ptrdiff_t)pixel * p->y_pitch) + o;
            to.count = p->outputs - o;
            to.lo = p->lo;
            to.hi = p->hi;
            conv_patches_v8(patches, n, &t, &to, pixels, two);
        }
        pixel += pixels;
    }
}

TARN_API int32_t tarn_conv_line_v8_f32_few(const tarn_conv_line_v8_f32_params *p)
{
    const int32_t run = p->taps * p->inputs;
    return (run <= CONV_RUN_V8) && (p->dilation == 1) && (p->rows > 1) && (p->outputs > (2 * TARN_LANES_V8)) && (run <= (CONV_FEW_V8 / p->rows));
}

TARN_API void tarn_conv_line_v8_f32(const tarn_conv_line_v8_f32_params *p, const float *const *rows, const float *w,
                                    const float *b, const float *r, float *y, int32_t first, int32_t end, int32_t block)
{
    const ptrdiff_t vector = (ptrdiff_t)TARN_LANES_V8 * p->rows * p->taps * p->inputs;
    const int32_t step = (block != 0) ? (end - first) : 1;
    int32_t pixel;
    for (pixel = first; pixel < end; pixel += step) {
        const float *weights = w;
        const float *bias = b;
        int32_t group;
        for (group = 0; group < p->groups; ++group) {
            const int32_t from = group * p->outputs;
            int32_t o;
            if (tarn_conv_line_v8_f32_few(p) != 0) {
                const int32_t whole = (p->outputs + (TARN_LANES_V8 - 1)) / TARN_LANES_V8;
                conv_few_v8(p, rows, group * p->inputs, weights, bias, (r != NULL) ? (r + from) : NULL, y + from, pixel, pixel + step);
                weights += whole * vector;
                bias = (bias != NULL) ? (bias + ((ptrdiff_t)whole * TARN_LANES_V8)) : NULL;
                continue;
            }
            for (o = 0; o < p->outputs; o += 2 * TARN_LANES_V8) {
                const int32_t at = from + o;
                const int32_t vectors = ((p->outputs - o) > TARN_LANES_V8) ? 2 : 1;
                tarn_conv_line_v8_f32_part(p, rows, group * p->inputs, weights, bias, (r != NULL) ? (r + at) : NULL, y + at,
                                           pixel, pixel + step, o);
                weights += vectors * vector;
                bias = (bias != NULL) ? (bias + ((ptrdiff_t)vectors * TARN_LANES_V8)) : NULL;
            }
        }
    }
}
