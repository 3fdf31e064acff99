/* SPDX-License-Identifier: MIT-0
 * Three pixels by eight outputs or four, or one pixel by sixteen, eight or four at a time: the inner loops of convolutions and
 * products. Weights stand as [k][4] for each four outputs. Every sum runs over k upwards whatever the tile. */
#ifndef TARN_TILE_MVE_F32_H
#define TARN_TILE_MVE_F32_H

#include "tarn_ends_mve_f32.h"

#define TARN_TILE_MOST_MVE_F32 16 /* outputs of a single pixel */

typedef struct {
    tarn_fours_mve_f32 a0, b0, a1, b1, a2, b2; /* by pixel: the first four outputs, the next; of a single pixel up to four fours */
} tarn_tile_mve_f32;

/* In all of these `pixels` (3 or 1) and `outputs` (8 or 4, or 16 of one pixel) are constants of the callers. */
TARN_FORCE_INLINE void tarn_tile_start_mve_f32(tarn_tile_mve_f32 *s, const float *bias, int32_t outputs)
{
    if (bias == NULL) {
        tarn_all_mve_f32(&s->a0, 0.0F);
        s->b0 = s->a0;
    } else {
        tarn_get_mve_f32(&s->a0, bias);
        tarn_get_mve_f32(&s->b0, (outputs > 4) ? (bias + 4) : bias);
    }
    s->a1 = s->a0;
    s->b1 = s->b0;
    s->a2 = s->a0;
    s->b2 = s->b0;
    if ((outputs > 8) && (bias != NULL)) {
        tarn_get_mve_f32(&s->a1, bias + 8);
        tarn_get_mve_f32(&s->b1, bias + 12);
    }
}

/* Where a tile reads. */
typedef struct {
    const float *x0, *x1, *x2;      /* by pixel */
    const float *w0, *w1, *w2, *w3; /* by four outputs */
} tarn_tile_at_mve_f32;

TARN_FORCE_INLINE void tarn_tile_step_mve_f32(tarn_tile_mve_f32 *s, tarn_tile_at_mve_f32 *at, int32_t pixels, int32_t outputs)
{
    tarn_fours_mve_f32 q;
    tarn_get_mve_f32(&q, at->w0);
    tarn_mac_all_mve_f32(&s->a0, &q, *at->x0);
    at->w0 += 4;
    if (pixels > 1) {
        tarn_mac_all_mve_f32(&s->a1, &q, *at->x1);
        tarn_mac_all_mve_f32(&s->a2, &q, *at->x2);
    }
    if (outputs > 4) {
        tarn_get_mve_f32(&q, at->w1);
        tarn_mac_all_mve_f32(&s->b0, &q, *at->x0);
        at->w1 += 4;
        if (pixels > 1) {
            tarn_mac_all_mve_f32(&s->b1, &q, *at->x1);
            tarn_mac_all_mve_f32(&s->b2, &q, *at->x2);
        }
    }
    if (outputs > 8) {
        tarn_get_mve_f32(&q, at->w2);
        tarn_mac_all_mve_f32(&s->a1, &q, *at->x0);
        tarn_get_mve_f32(&q, at->w3);
        tarn_mac_all_mve_f32(&s->b1, &q, *at->x0);
        at->w2 += 4;
        at->w3 += 4;
    }
    ++at->x0;
    if (pixels > 1) {
        ++at->x1;
        ++at->x2;
    }
}

#if TARN_MVE_FLOAT_ASM

/* The next two inputs of a pixel; four weights in one of two registers, times what `x` holds. */
#define TARN_TILE_PAIR(x, at) "ldrd %[" x "],%[" x x "],[%[" at "]],#8\n\t"
#define TARN_TILE_W(q, at) "vldrw.32 " q ",[%[" at "]],#16\n\t"
#define TARN_TILE_MAC(s, q, x) "vfma.f32 %q[" s "]," q ",%[" x "]\n\t"
#define TARN_TILE_LOOP(body) "wls lr,%[n],2f\n1:\n\t" body "le lr,1b\n2:"
#define TARN_TILE_3X8(x, y, z)                                                                                             \
    TARN_TILE_W("q6", "w0") TARN_TILE_MAC("a0", "q6", x) TARN_TILE_W("q7", "w1") TARN_TILE_MAC("a1", "q6", y)                  \
    TARN_TILE_MAC("a2", "q6", z) TARN_TILE_MAC("b0", "q7", x) TARN_TILE_MAC("b1", "q7", y) TARN_TILE_MAC("b2", "q7", z)
#define TARN_TILE_3X4(q, x, y, z) TARN_TILE_W(q, "w0") TARN_TILE_MAC("a0", q, x) TARN_TILE_MAC("a1", q, y) TARN_TILE_MAC("a2", q, z)
#define TARN_TILE_1X8(x) TARN_TILE_W("q6", "w0") TARN_TILE_MAC("a0", "q6", x) TARN_TILE_W("q7", "w1") TARN_TILE_MAC("b0", "q7", x)
#define TARN_TILE_1X16(x)                                                                                                  \
    TARN_TILE_1X8(x) TARN_TILE_W("q6", "w2") TARN_TILE_MAC("a1", "q6", x) TARN_TILE_W("q7", "w3") TARN_TILE_MAC("b1", "q7", x)
#define TARN_TILE_THREE TARN_TILE_PAIR("x", "x0") TARN_TILE_PAIR("y", "x1") TARN_TILE_PAIR("z", "x2")
#define TARN_TILE_ONE TARN_TILE_PAIR("x", "x0")

/* Two steps at a time, `pairs` times. */
TARN_FORCE_INLINE void tarn_tile_pairs_mve_f32(tarn_tile_mve_f32 *s, tarn_tile_at_mve_f32 *at, int32_t pairs, int32_t pixels,
                                               int32_t outputs)
{
    float x;
    float xx;
    float y;
    float yy;
    float z;
    float zz;
    if ((pixels > 1) && (outputs > 4)) {
        __asm__ volatile(TARN_TILE_LOOP(TARN_TILE_THREE TARN_TILE_3X8("x", "y", "z") TARN_TILE_3X8("xx", "yy", "zz"))
                         : [a0] "+w"(s->a0), [a1] "+w"(s->a1), [a2] "+w"(s->a2), [b0] "+w"(s->b0), [b1] "+w"(s->b1), [b2] "+w"(s->b2),
                           [x0] "+r"(at->x0), [x1] "+r"(at->x1), [x2] "+r"(at->x2), [w0] "+r"(at->w0),
                           [w1] "+r"(at->w1), [x] "=&r"(x), [xx] "=&r"(xx), [y] "=&r"(y), [yy] "=&r"(yy), [z] "=&r"(z), [zz] "=&r"(zz)
                         : [n] "r"(pairs)
                         : "lr", "q6", "q7", "memory");
    } else if (pixels > 1) {
        __asm__ volatile(TARN_TILE_LOOP(TARN_TILE_THREE TARN_TILE_3X4("q6", "x", "y", "z") TARN_TILE_3X4("q7", "xx", "yy", "zz"))
                         : [a0] "+w"(s->a0), [a1] "+w"(s->a1), [a2] "+w"(s->a2), [x0] "+r"(at->x0),
                           [x1] "+r"(at->x1), [x2] "+r"(at->x2), [w0] "+r"(at->w0), [x] "=&r"(x), [xx] "=&r"(xx), [y] "=&r"(y),
                           [yy] "=&r"(yy), [z] "=&r"(z), [zz] "=&r"(zz)
                         : [n] "r"(pairs)
                         : "lr", "q6", "q7", "memory");
    } else if (outputs > 8) {
        __asm__ volatile(TARN_TILE_LOOP(TARN_TILE_ONE TARN_TILE_1X16("x") TARN_TILE_1X16("xx"))
                         : [a0] "+w"(s->a0), [b0] "+w"(s->b0), [a1] "+w"(s->a1), [b1] "+w"(s->b1), [x0] "+r"(at->x0), [w0] "+r"(at->w0), [w1] "+r"(at->w1), [w2] "+r"(at->w2), [w3] "+r"(at->w3), [x] "=&r"(x),
                           [xx] "=&r"(xx)
                         : [n] "r"(pairs)
                         : "lr", "q6", "q7", "memory");
    } else if (outputs > 4) {
        __asm__ volatile(TARN_TILE_LOOP(TARN_TILE_ONE TARN_TILE_1X8("x") TARN_TILE_1X8("xx"))
                         : [a0] "+w"(s->a0), [b0] "+w"(s->b0), [x0] "+r"(at->x0), [w0] "+r"(at->w0),
                           [w1] "+r"(at->w1), [x] "=&r"(x), [xx] "=&r"(xx)
                         : [n] "r"(pairs)
                         : "lr", "q6", "q7", "memory");
    } else {
        __asm__ volatile(TARN_TILE_LOOP(TARN_TILE_ONE TARN_TILE_W("q6", "w0") TARN_TILE_MAC("a0", "q6", "x") TARN_TILE_W("q7", "w0")
                                            TARN_TILE_MAC("a0", "q7", "xx"))
                         : [a0] "+w"(s->a0), [x0] "+r"(at->x0), [w0] "+r"(at->w0), [x] "=&r"(x), [xx] "=&r"(xx)
                         : [n] "r"(pairs)
                         : "lr", "q6", "q7", "memory");
    }
}

#else

TARN_FORCE_INLINE void tarn_tile_pairs_mve_f32(tarn_tile_mve_f32 *s, tarn_tile_at_mve_f32 *at, int32_t pairs, int32_t pixels,
                                               int32_t outputs)
{
    int32_t left;
    for (left = pairs; left > 0; --left) {
        tarn_tile_step_mve_f32(s, at, pixels, outputs);
        tarn_tile_step_mve_f32(s, at, pixels, outputs);
    }
}

#endif

/* n steps. x_step: from one pixel's inputs to the next; w_step: from the weights of four outputs to those of the next. */
TARN_FORCE_INLINE void tarn_tile_run_mve_f32(tarn_tile_mve_f32 *s, const float *x, ptrdiff_t x_step, const float *w, ptrdiff_t w_step,
                                             int32_t n, int32_t pixels, int32_t outputs)
{
    tarn_tile_at_mve_f32 at;
    at.x0 = x;
    at.x1 = (pixels > 1) ? (at.x0 + x_step) : x;
    at.x2 = (pixels > 1) ? (at.x1 + x_step) : x;
    at.w0 = w;
    at.w1 = (outputs > 4) ? (at.w0 + w_step) : w;
    at.w2 = (outputs > 8) ? (at.w1 + w_step) : w;
    at.w3 = (outputs > 8) ? (at.w2 + w_step) : w;
    if ((n & 1) != 0) {
        tarn_tile_step_mve_f32(s, &at, pixels, outputs);
    }
    tarn_tile_pairs_mve_f32(s, &at, n / 2, pixels, outputs);
}

/* Writes the first `count` outputs of each pixel: all but fewer than four. */
TARN_FORCE_INLINE void tarn_tile_end_mve_f32(tarn_tile_mve_f32 *s, const tarn_ends_mve_f32 *to, int32_t count, int32_t pixels,
                                             int32_t outputs)
{
    const int32_t more = (outputs > 8) ? 1 : 0;
    if (to->r != NULL) {
        tarn_fours_mve_f32 all[6];
        all[0] = s->a0;
        all[1] = (outputs > 4) ? s->b0 : s->a1;
        all[2] = (outputs > 4) ? s->a1 : s->a2;
        all[3] = s->b1;
        all[4] = s->a2;
        all[5] = s->b2;
        tarn_ends_mve_f32_any(to, all, pixels, (count < outputs) ? count : outputs);
    } else {
        if (to->bounded != 0) {
            tarn_clamp_mve_f32(&s->a0, to->lo, to->hi);
            if (outputs > 4) {
                tarn_clamp_mve_f32(&s->b0, to->lo, to->hi);
            }
            if ((pixels > 1) || (outputs > 8)) {
                tarn_clamp_mve_f32(&s->a1, to->lo, to->hi);
            }
            if (pixels > 1) {
                tarn_clamp_mve_f32(&s->a2, to->lo, to->hi);
            }
            if (((pixels > 1) && (outputs > 4)) || (outputs > 8)) {
                tarn_clamp_mve_f32(&s->b1, to->lo, to->hi);
            }
            if ((pixels > 1) && (outputs > 4)) {
                tarn_clamp_mve_f32(&s->b2, to->lo, to->hi);
            }
        }
        if (outputs > 4) {
            const tarn_some_mve_f32 some = tarn_first_mve_f32(count - (outputs - 4));
            tarn_put_mve_f32(to->y, &s->a0);
            if (more != 0) {
                tarn_put_mve_f32(to->y + 4, &s->b0);
                tarn_put_mve_f32(to->y + 8, &s->a1);
                tarn_put_some_mve_f32(to->y + 12, &s->b1, some);
            } else {
                tarn_put_some_mve_f32(to->y + 4, &s->b0, some);
            }
            if (pixels > 1) {
                tarn_put_mve_f32(to->y + to->y_pitch, &s->a1);
                tarn_put_mve_f32(to->y + (2 * to->y_pitch), &s->a2);
                tarn_put_some_mve_f32(to->y + to->y_pitch + 4, &s->b1, some);
                tarn_put_some_mve_f32(to->y + (2 * to->y_pitch) + 4, &s->b2, some);
            }
        } else {
            const tarn_some_mve_f32 some = tarn_first_mve_f32(count);
            tarn_put_some_mve_f32(to->y, &s->a0, some);
            if (pixels > 1) {
                tarn_put_some_mve_f32(to->y + to->y_pitch, &s->a1, some);
                tarn_put_some_mve_f32(to->y + (2 * to->y_pitch), &s->a2, some);
            }
        }
    }
}

#endif
