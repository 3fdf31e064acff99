/* SPDX-License-Identifier: MIT-0 */
#include "tarn_depthwise_line_v8_f32.h"
#include "tarn_lanes_v8.h"

#define DEPTHWISE_PIXELS_V8 4 /* at a time, where the kernel lies inside the line */

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

TARN_FORCE_INLINE void depthwise_put_v8(const depthwise_part_v8 *t, tarn_lanes_v8 *s, int32_t pixel, int32_t count)
{
    const float *r = (t->r != NULL) ? (t->r + ((ptrdiff_t)pixel * t->p->r_pitch)) : NULL;
    tarn_finish_v8(s, r, t->p->lo, t->p->hi, t->y + ((ptrdiff_t)pixel * t->p->y_pitch), count);
}

/* The taps [tap0, tap1) of one pixel. */
static void depthwise_single_v8(const depthwise_part_v8 *t, int32_t pixel, int32_t tap0, int32_t tap1)
{
    const tarn_depthwise_line_v8_f32_params *p = t->p;
    const int32_t count = p->channels - t->c;
    const int32_t at = (pixel * p->stride) - p->pad;
    tarn_lanes_v8 s;
    int32_t row;
    if (t->bias != NULL) {
        tarn_get_v8(&s, t->bias);
    } else {
        tarn_all_v8(&s, 0.0F);
    }
    for (row = 0; row < p->rows; ++row) {
        int32_t tap;
        if (t->rows[row] == NULL) {
            continue;
        }
        for (tap = tap0; tap < tap1; ++tap) {
            const float *x = t->rows[row] + ((ptrdiff_t)(at + (tap * p->dilation)) * p->x_pitch) + t->c;
            tarn_lanes_v8 q;
            tarn_lanes_v8 v;
            tarn_get_v8(&q, t->w + ((ptrdiff_t)TARN_LANES_V8 * ((row * p->taps) + tap)));
            depthwise_get_v8(&v, x, count);
            tarn_mac_v8(&s, &q, &v);
        }
    }
    depthwise_put_v8(t, &s, pixel, count);
}

/* Four pixels under which the whole kernel lies, all lanes. */
static void depthwise_four_v8(const depthwise_part_v8 *t, int32_t pixel)
{
    const tarn_depthwise_line_v8_f32_params *p = t->p;
    const ptrdiff_t column = (ptrdiff_t)p->dilation * p->x_pitch;
    const ptrdiff_t step = (ptrdiff_t)p->stride * p->x_pitch;
    const float *w = t->w;
    tarn_lanes_v8 s0;
    tarn_lanes_v8 s1;
    tarn_lanes_v8 s2;
    tarn_lanes_v8 s3;
    int32_t row;
    if (t->bias != NULL) {
        tarn_get_v8(&s0, t->bias);
    } else {
        tarn_all_v8(&s0, 0.0F);
    }
    s1 = s0;
    s2 = s0;
    s3 = s0;
    for (row = 0; row < p->rows; ++row) {
        const float *x;
        int32_t tap;
        if (t->rows[row] == NULL) {
            w += (ptrdiff_t)TARN_LANES_V8 * p->taps;
            continue;
        }
        x = t->rows[row] + ((ptrdiff_t)((pixel * p->stride) - p->pad) * p->x_pitch) + t->c;
        for (tap = 0; tap < p->taps; ++tap) {
            tarn_lanes_v8 q;
            tarn_lanes_v8 v;
            tarn_get_v8(&q, w);
            tarn_get_v8(&v, x);
            tarn_mac_v8(&s0, &q, &v);
            tarn_get_v8(&v, x + step);
            tarn_mac_v8(&s1, &q, &v);
            tarn_get_v8(&v, x + (2 * step));
            tarn_mac_v8(&s2, &q, &v);
            tarn_get_v8(&v, x + (3 * step));
            tarn_mac_v8(&s3, &q, &v);
            w += TARN_LANES_V8;
            x += column;
        }
    }
    depthwise_put_v8(t, &s0, pixel, TARN_LANES_V8);
    depthwise_put_v8(t, &s1, pixel + 1, TARN_LANES_V8);
    depthwise_put_v8(t, &s2, pixel + 2, TARN_LANES_V8);
    depthwise_put_v8(t, &s3, pixel + 3, TARN_LANES_V8);
}

/* The pixels [first, end) of one vector of channels. */
static void depthwise_pixels_v8(const depthwise_part_v8 *t, int32_t first, int32_t end)
{
    const tarn_depthwise_line_v8_f32_params *p = t->p;
    const int32_t whole = (p->channels - t->c) >= TARN_LANES_V8;
    const int32_t span = ((p->taps - 1) * p->dilation) + 1;
    int32_t pixel = first;
    while (pixel < end) {
        const int32_t at = (pixel * p->stride) - p->pad;
        const int32_t last = at + ((DEPTHWISE_PIXELS_V8 - 1) * p->stride);
        if ((whole != 0) && (at >= 0) && ((pixel + DEPTHWISE_PIXELS_V8) <= end) && ((last + span) <= p->in_pixels)) {
            depthwise_four_v8(t, pixel);
            pixel += DEPTHWISE_PIXELS_V8;
        } else {
            int32_t tap0 = 0;
            int32_t tap1 = p->taps;
            while ((tap0 < tap1) && ((at + (tap0 * p->dilation)) < 0)) {
                ++tap0;
            }
            while ((tap1 > tap0) && ((at + ((tap1 - 1) * p->dilation)) >= p->in_pixels)) {
                --tap1;
            }
            depthwise_single_v8(t, pixel, tap0, tap1);
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
        int32_t c;
        for (c = 0; c < p->channels; c += TARN_LANES_V8) {
            depthwise_part_v8 t;
            t.p = p;
            t.rows = rows;
            t.w = w + ((ptrdiff_t)c * p->rows * p->taps);
            t.bias = (b != NULL) ? (b + c) : NULL;
            t.r = (r != NULL) ? (r + c) : NULL;
            t.y = y + c;
            t.c = c;
            depthwise_pixels_v8(&t, pixel, pixel + step);
        }
    }
}
