/* SPDX-License-Identifier: MIT-0 */
#include "tarn_dense_v8_f32.h"
#include "tarn_tile_v8_f32.h"

/* Vectors of outputs of a single pixel: enough sums that none waits for itself. */
#define DENSE_VECTORS_V8 8

typedef struct {
    const float *x;
    int32_t x_pitch, inputs;
    const float *wa, *wb, *bias;
} dense_tile_v8;

TARN_FORCE_INLINE void dense_pixels_v8(const dense_tile_v8 *t, const tarn_tile_ends_v8 *to, int32_t pixels, int32_t vectors)
{
    tarn_tile_inputs_v8 x;
    tarn_tile_v8 s;
    x.x0 = t->x;
    x.x1 = (pixels > 1) ? (x.x0 + t->x_pitch) : x.x0;
    x.x2 = (pixels > 2) ? (x.x1 + t->x_pitch) : x.x0;
    x.x3 = (pixels > 3) ? (x.x2 + t->x_pitch) : x.x0;
    x.x4 = (pixels > 4) ? (x.x3 + t->x_pitch) : x.x0;
    x.x5 = (pixels > 5) ? (x.x4 + t->x_pitch) : x.x0;
    tarn_tile_start_v8(&s, t->bias, vectors);
    tarn_tile_run_v8(&s, &x, t->wa, t->wb, t->inputs, pixels, vectors);
    tarn_tile_end_v8(&s, to, pixels, vectors);
}

static void dense_two_v8(const dense_tile_v8 *t, const tarn_tile_ends_v8 *to, int32_t pixels)
{
    switch (pixels) {
#if TARN_VECTORS
        case 2: dense_pixels_v8(t, to, 2, 2); break;
        case 3: dense_pixels_v8(t, to, 3, 2); break;
        case 4: dense_pixels_v8(t, to, 4, 2); break;
        case 5: dense_pixels_v8(t, to, 5, 2); break;
        case 6: dense_pixels_v8(t, to, 6, 2); break;
#endif
        default: dense_pixels_v8(t, to, 1, 2); break;
    }
}

static void dense_one_v8(const dense_tile_v8 *t, const tarn_tile_ends_v8 *to, int32_t pixels)
{
    switch (pixels) {
#if TARN_VECTORS
        case 2: dense_pixels_v8(t, to, 2, 1); break;
        case 3: dense_pixels_v8(t, to, 3, 1); break;
        case 4: dense_pixels_v8(t, to, 4, 1); break;
        case 5: dense_pixels_v8(t, to, 5, 1); break;
        case 6: dense_pixels_v8(t, to, 6, 1); break;
#endif
        default: dense_pixels_v8(t, to, 1, 1); break;
    }
}

/* One pixel, at most DENSE_VECTORS_V8 vectors from the weights w on; those that are not there stand for the last. */
static void dense_single_v8(const dense_tile_v8 *t, const tarn_tile_ends_v8 *to, int32_t vectors)
{
    const ptrdiff_t step = (ptrdiff_t)TARN_LANES_V8 * t->inputs;
    const float *w[DENSE_VECTORS_V8];
    tarn_lanes_v8 s[DENSE_VECTORS_V8];
    tarn_lanes_v8 s0;
    tarn_lanes_v8 s1;
    tarn_lanes_v8 s2;
    tarn_lanes_v8 s3;
    tarn_lanes_v8 s4;
    tarn_lanes_v8 s5;
    tarn_lanes_v8 s6;
    tarn_lanes_v8 s7;
    ptrdiff_t at = 0;
    int32_t i;
    int32_t k;
    for (i = 0; i < DENSE_VECTORS_V8; ++i) {
        const int32_t vector = (i < vectors) ? i : (vectors - 1);
        w[i] = t->wa + (vector * step);
        if (t->bias != NULL) {
            tarn_get_v8(&s[i], t->bias + ((ptrdiff_t)vector * TARN_LANES_V8));
        } else {
            tarn_all_v8(&s[i], 0.0F);
        }
    }
    s0 = s[0];
    s1 = s[1];
    s2 = s[2];
    s3 = s[3];
    s4 = s[4];
    s5 = s[5];
    s6 = s[6];
    s7 = s[7];
    for (k = 0; k < t->inputs; ++k) {
        tarn_lanes_v8 v;
        tarn_lanes_v8 q;
        tarn_all_v8(&v, t->x[k]);
        tarn_get_v8(&q, w[0] + at);
        tarn_mac_v8(&s0, &q, &v);
        tarn_get_v8(&q, w[1] + at);
        tarn_mac_v8(&s1, &q, &v);
        tarn_get_v8(&q, w[2] + at);
        tarn_mac_v8(&s2, &q, &v);
        tarn_get_v8(&q, w[3] + at);
        tarn_mac_v8(&s3, &q, &v);
        tarn_get_v8(&q, w[4] + at);
        tarn_mac_v8(&s4, &q, &v);
        tarn_get_v8(&q, w[5] + at);
        tarn_mac_v8(&s5, &q, &v);
        tarn_get_v8(&q, w[6] + at);
        tarn_mac_v8(&s6, &q, &v);
        tarn_get_v8(&q, w[7] + at);
        tarn_mac_v8(&s7, &q, &v);
        at += TARN_LANES_V8;
    }
    s[0] = s0;
    s[1] = s1;
    s[2] = s2;
    s[3] = s3;
    s[4] = s4;
    s[5] = s5;
    s[6] = s6;
    s[7] = s7;
    for (i = 0; i < vectors; ++i) {
        const int32_t o = i * TARN_LANES_V8;
        tarn_finish_v8(&s[i], (to->r != NULL) ? (to->r + o) : NULL, to->lo, to->hi, to->y + o, to->count - o);
    }
}

/* The outputs from o on of some pixels, `vectors` vectors of them: more than two of a single pixel alone. */
static void dense_part_v8(const tarn_dense_v8_f32_params *p, dense_tile_v8 *t, tarn_tile_ends_v8 *to, int32_t pixels, int32_t vectors)
{
    int32_t left = pixels;
    while (left > 0) {
        const int32_t some = tarn_tile_size_v8(left);
        if (vectors > 2) {
            dense_single_v8(t, to, vectors);
        } else if (vectors == 2) {
            dense_two_v8(t, to, some);
        } else {
            dense_one_v8(t, to, some);
        }
        t->x += (ptrdiff_t)some * p->x_pitch;
        to->y += (ptrdiff_t)some * p->y_pitch;
        to->r = (to->r != NULL) ? (to->r + ((ptrdiff_t)some * p->r_pitch)) : NULL;
        left -= some;
    }
}

TARN_API void tarn_dense_v8_f32_line(const tarn_dense_v8_f32_params *p, const float *x, const float *w, const float *b,
                                     const float *r, float *y, int32_t first, int32_t end, int32_t block)
{
    const ptrdiff_t vector = (ptrdiff_t)TARN_LANES_V8 * p->inputs;
    const int32_t step = (block != 0) ? (end - first) : 1;
    const int32_t most = (step == 1) ? DENSE_VECTORS_V8 : 2;
    int32_t pixel;
    for (pixel = first; pixel < end; pixel += step) {
        int32_t o = 0;
        while (o < p->outputs) {
            const int32_t left = (p->outputs - o + (TARN_LANES_V8 - 1)) / TARN_LANES_V8;
            const int32_t vectors = (left < most) ? left : most;
            tarn_tile_ends_v8 to;
            dense_tile_v8 t;
            t.x = x + ((ptrdiff_t)pixel * p->x_pitch);
            t.x_pitch = p->x_pitch;
            t.inputs = p->inputs;
            t.wa = w + ((o / TARN_LANES_V8) * vector);
            t.wb = (vectors > 1) ? (t.wa + vector) : t.wa;
            t.bias = (b != NULL) ? (b + o) : NULL;
            to.r = (r != NULL) ? (r + ((ptrdiff_t)pixel * p->r_pitch) + o) : NULL;
            to.y = y + ((ptrdiff_t)pixel * p->y_pitch) + o;
            to.r_pitch = p->r_pitch;
            to.y_pitch = p->y_pitch;
            to.count = p->outputs - o;
            to.lo = p->lo;
            to.hi = p->hi;
            dense_part_v8(p, &t, &to, step, vectors);
            o += vectors * TARN_LANES_V8;
        }
    }
}

TARN_API void tarn_dense_v8_f32(const tarn_dense_v8_f32_params *p, const float *x, const float *w, const float *b,
                                const float *r, float *y)
{
    tarn_dense_v8_f32_line(p, x, w, b, r, y, 0, p->pixels, 1);
}
