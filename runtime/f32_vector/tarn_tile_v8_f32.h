/* SPDX-License-Identifier: MIT-0
 * Up to six pixels by two vectors of outputs at a time: the inner loops of convolutions and products. Weights stand as
 * [k][8] for each vector. Every sum runs over k upwards whatever the tile, so a pixel's result does not depend on the
 * pixels beside it. */
#ifndef TARN_TILE_V8_F32_H
#define TARN_TILE_V8_F32_H

#include "tarn_lanes_v8.h"

/* Without vector types six pixels would not stay in registers. */
#if TARN_VECTORS
#define TARN_TILE_PIXELS_V8 6
#else
#define TARN_TILE_PIXELS_V8 1
#endif

typedef struct {
    tarn_lanes_v8 a0, a1, a2, a3, a4, a5; /* first vector of outputs, by pixel */
    tarn_lanes_v8 b0, b1, b2, b3, b4, b5; /* second */
} tarn_tile_v8;

/* The inputs of each pixel; those beyond the tile's are not used. */
typedef struct {
    const float *x0, *x1, *x2, *x3, *x4, *x5;
} tarn_tile_inputs_v8;

/* One step of a tile whose `pixels` (1 to 6) and `vectors` (1 or 2) are constants of the caller. */
TARN_FORCE_INLINE void tarn_tile_step_v8(tarn_tile_v8 *s, const tarn_tile_inputs_v8 *x, int32_t k, const float *wa, const float *wb,
                                         int32_t pixels, int32_t vectors)
{
    tarn_lanes_v8 a;
    tarn_lanes_v8 b;
    tarn_lanes_v8 v;
    tarn_get_v8(&a, wa);
    tarn_get_v8(&b, (vectors > 1) ? wb : wa);
    tarn_all_v8(&v, x->x0[k]);
    tarn_mac_v8(&s->a0, &a, &v);
    if (vectors > 1) {
        tarn_mac_v8(&s->b0, &b, &v);
    }
    if (pixels > 1) {
        tarn_all_v8(&v, x->x1[k]);
        tarn_mac_v8(&s->a1, &a, &v);
        if (vectors > 1) {
            tarn_mac_v8(&s->b1, &b, &v);
        }
    }
    if (pixels > 2) {
        tarn_all_v8(&v, x->x2[k]);
        tarn_mac_v8(&s->a2, &a, &v);
        if (vectors > 1) {
            tarn_mac_v8(&s->b2, &b, &v);
        }
    }
    if (pixels > 3) {
        tarn_all_v8(&v, x->x3[k]);
        tarn_mac_v8(&s->a3, &a, &v);
        if (vectors > 1) {
            tarn_mac_v8(&s->b3, &b, &v);
        }
    }
    if (pixels > 4) {
        tarn_all_v8(&v, x->x4[k]);
        tarn_mac_v8(&s->a4, &a, &v);
        if (vectors > 1) {
            tarn_mac_v8(&s->b4, &b, &v);
        }
    }
    if (pixels > 5) {
        tarn_all_v8(&v, x->x5[k]);
        tarn_mac_v8(&s->a5, &a, &v);
        if (vectors > 1) {
            tarn_mac_v8(&s->b5, &b, &v);
        }
    }
}

/* n steps. */
TARN_FORCE_INLINE void tarn_tile_run_v8(tarn_tile_v8 *s, const tarn_tile_inputs_v8 *x, const float *wa, const float *wb, int32_t n,
                                        int32_t pixels, int32_t vectors)
{
    const float *a = wa;
    const float *b = wb;
    int32_t k = 0;
    if ((n & 1) != 0) {
        tarn_tile_step_v8(s, x, 0, a, b, pixels, vectors);
        a += TARN_LANES_V8;
        b += TARN_LANES_V8;
        k = 1;
    }
    for (; k < n; k += 2) {
        tarn_tile_step_v8(s, x, k, a, b, pixels, vectors);
        tarn_tile_step_v8(s, x, k + 1, a + TARN_LANES_V8, b + TARN_LANES_V8, pixels, vectors);
        a += (ptrdiff_t)2 * TARN_LANES_V8;
        b += (ptrdiff_t)2 * TARN_LANES_V8;
    }
}

/* Where a tile's results go. */
typedef struct {
    const float *r; /* to be added, or NULL */
    float *y;
    int32_t r_pitch, y_pitch; /* from one pixel to the next */
    int32_t count;            /* outputs from y on that there are */
    float lo, hi;
} tarn_tile_ends_v8;

TARN_FORCE_INLINE void tarn_tile_pixel_v8(tarn_lanes_v8 *a, tarn_lanes_v8 *b, const tarn_tile_ends_v8 *to, int32_t pixel, int32_t vectors)
{
    const float *r = (to->r != NULL) ? (to->r + ((ptrdiff_t)pixel * to->r_pitch)) : NULL;
    float *y = to->y + ((ptrdiff_t)pixel * to->y_pitch);
    tarn_finish_v8(a, r, to->lo, to->hi, y, to->count);
    if (vectors > 1) {
        tarn_finish_v8(b, (r != NULL) ? (r + TARN_LANES_V8) : NULL, to->lo, to->hi, y + TARN_LANES_V8, to->count - TARN_LANES_V8);
    }
}

TARN_FORCE_INLINE void tarn_tile_start_v8(tarn_tile_v8 *s, const float *bias, int32_t vectors)
{
    if (bias != NULL) {
        tarn_get_v8(&s->a0, bias);
        tarn_get_v8(&s->b0, (vectors > 1) ? (bias + TARN_LANES_V8) : bias);
    } else {
        tarn_all_v8(&s->a0, 0.0F);
        s->b0 = s->a0;
    }
    s->a1 = s->a0;
    s->a2 = s->a0;
    s->a3 = s->a0;
    s->a4 = s->a0;
    s->a5 = s->a0;
    s->b1 = s->b0;
    s->b2 = s->b0;
    s->b3 = s->b0;
    s->b4 = s->b0;
    s->b5 = s->b0;
}

TARN_FORCE_INLINE void tarn_tile_end_v8(tarn_tile_v8 *s, const tarn_tile_ends_v8 *to, int32_t pixels, int32_t vectors)
{
    tarn_tile_pixel_v8(&s->a0, &s->b0, to, 0, vectors);
    if (pixels > 1) {
        tarn_tile_pixel_v8(&s->a1, &s->b1, to, 1, vectors);
    }
    if (pixels > 2) {
        tarn_tile_pixel_v8(&s->a2, &s->b2, to, 2, vectors);
    }
    if (pixels > 3) {
        tarn_tile_pixel_v8(&s->a3, &s->b3, to, 3, vectors);
    }
    if (pixels > 4) {
        tarn_tile_pixel_v8(&s->a4, &s->b4, to, 4, vectors);
    }
    if (pixels > 5) {
        tarn_tile_pixel_v8(&s->a5, &s->b5, to, 5, vectors);
    }
}

/* How many pixels the next tile has, of those that are left: tiles of one size, or nearly. */
TARN_FORCE_INLINE int32_t tarn_tile_size_v8(int32_t left)
{
    const int32_t tiles = (left + (TARN_TILE_PIXELS_V8 - 1)) / TARN_TILE_PIXELS_V8;
    return (left + (tiles - 1)) / tiles;
}

#endif
