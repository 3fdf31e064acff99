/* SPDX-License-Identifier: MIT-0
 * Sums of products for 4 outputs of 4 pixels or of 1, the inner loops of convolution and matrix kernels. Weights stand
 * as [k][4], so that one step reads 4 of them in a row. Every sum runs over k upwards, whichever block computes it: a
 * pixel's result does not depend on the pixels beside it. */
#ifndef TARN_BLOCK_F32_H
#define TARN_BLOCK_F32_H

#include "tarn_types_f32.h"

typedef struct {
    tarn_acc_f32 a, b, c, d; /* four outputs of one pixel */
} tarn_quad_f32;

TARN_FORCE_INLINE tarn_quad_f32 tarn_quad_load_f32(const tarn_f32 *w)
{
    tarn_quad_f32 q;
    q.a = tarn_load_f32(w[0]);
    q.b = tarn_load_f32(w[1]);
    q.c = tarn_load_f32(w[2]);
    q.d = tarn_load_f32(w[3]);
    return q;
}

TARN_FORCE_INLINE void tarn_quad_mac_f32(tarn_quad_f32 *s, const tarn_quad_f32 *w, tarn_acc_f32 x)
{
    s->a += w->a * x;
    s->b += w->b * x;
    s->c += w->c * x;
    s->d += w->d * x;
}

#ifdef TARN_FOURS_F32

TARN_FORCE_INLINE tarn_four_f32 tarn_four_of_f32(const tarn_quad_f32 *s)
{
    const tarn_four_f32 v = {s->a, s->b, s->c, s->d};
    return v;
}

TARN_FORCE_INLINE void tarn_quad_set_f32(tarn_quad_f32 *s, tarn_four_f32 v)
{
    s->a = v[0];
    s->b = v[1];
    s->c = v[2];
    s->d = v[3];
}

TARN_FORCE_INLINE void tarn_four_mac_f32(tarn_four_f32 *s, tarn_four_f32 w, tarn_f32 x)
{
    const tarn_four_f32 all = {x, x, x, x};
    *s += w * all;
}

/* n > 0 steps for one pixel. */
TARN_FORCE_INLINE void tarn_block1_f32(tarn_quad_f32 *s, const tarn_f32 *x, const tarn_f32 *w, int32_t n)
{
    tarn_four_f32 v = tarn_four_of_f32(s);
    int32_t k;
    for (k = 0; k < n; ++k) {
        tarn_four_mac_f32(&v, *(const tarn_four_packed_f32 *)(const void *)(w + ((ptrdiff_t)4 * k)), x[k]);
    }
    tarn_quad_set_f32(s, v);
}

/* n > 0 steps for four pixels whose inputs begin x_step elements apart. */
TARN_FORCE_INLINE void tarn_block4_f32(tarn_quad_f32 *s0, tarn_quad_f32 *s1, tarn_quad_f32 *s2, tarn_quad_f32 *s3,
                                 const tarn_f32 *x, int32_t x_step, const tarn_f32 *w, int32_t n)
{
    const tarn_f32 *x1 = x + x_step;
    const tarn_f32 *x2 = x1 + x_step;
    const tarn_f32 *x3 = x2 + x_step;
    tarn_four_f32 v0 = tarn_four_of_f32(s0);
    tarn_four_f32 v1 = tarn_four_of_f32(s1);
    tarn_four_f32 v2 = tarn_four_of_f32(s2);
    tarn_four_f32 v3 = tarn_four_of_f32(s3);
    int32_t k;
    for (k = 0; k < n; ++k) {
        const tarn_four_f32 q = *(const tarn_four_packed_f32 *)(const void *)(w + ((ptrdiff_t)4 * k));
        tarn_four_mac_f32(&v0, q, x[k]);
        tarn_four_mac_f32(&v1, q, x1[k]);
        tarn_four_mac_f32(&v2, q, x2[k]);
        tarn_four_mac_f32(&v3, q, x3[k]);
    }
    tarn_quad_set_f32(s0, v0);
    tarn_quad_set_f32(s1, v1);
    tarn_quad_set_f32(s2, v2);
    tarn_quad_set_f32(s3, v3);
}

#else

TARN_FORCE_INLINE void tarn_block1_f32(tarn_quad_f32 *s, const tarn_f32 *x, const tarn_f32 *w, int32_t n)
{
    const tarn_f32 *w_at = w;
    int32_t n_now = n;
    if ((n_now & 1) != 0) {
        const tarn_quad_f32 q = tarn_quad_load_f32(w_at);
        tarn_quad_mac_f32(s, &q, tarn_load_f32(*x));
        w_at += 4;
        ++x;
    }
    for (n_now >>= 1; n_now > 0; --n_now) {
        tarn_quad_f32 q = tarn_quad_load_f32(w_at);
        tarn_quad_mac_f32(s, &q, tarn_load_f32(x[0]));
        q = tarn_quad_load_f32(w_at + 4);
        tarn_quad_mac_f32(s, &q, tarn_load_f32(x[1]));
        w_at += 8;
        x += 2;
    }
}

TARN_FORCE_INLINE void tarn_block4_f32(tarn_quad_f32 *s0, tarn_quad_f32 *s1, tarn_quad_f32 *s2, tarn_quad_f32 *s3,
                                 const tarn_f32 *x, int32_t x_step, const tarn_f32 *w, int32_t n)
{
    const tarn_f32 *w_at = w;
    int32_t n_now = n;
    const tarn_f32 *x0 = x;
    const tarn_f32 *x1 = x0 + x_step;
    const tarn_f32 *x2 = x1 + x_step;
    const tarn_f32 *x3 = x2 + x_step;
    if ((n_now & 1) != 0) {
        const tarn_quad_f32 q = tarn_quad_load_f32(w_at);
        tarn_quad_mac_f32(s0, &q, tarn_load_f32(*x0));
        tarn_quad_mac_f32(s1, &q, tarn_load_f32(*x1));
        tarn_quad_mac_f32(s2, &q, tarn_load_f32(*x2));
        tarn_quad_mac_f32(s3, &q, tarn_load_f32(*x3));
        w_at += 4;
        ++x0;
        ++x1;
        ++x2;
        ++x3;
    }
    for (n_now >>= 1; n_now > 0; --n_now) {
        tarn_quad_f32 q = tarn_quad_load_f32(w_at);
        tarn_quad_mac_f32(s0, &q, tarn_load_f32(x0[0]));
        tarn_quad_mac_f32(s1, &q, tarn_load_f32(x1[0]));
        tarn_quad_mac_f32(s2, &q, tarn_load_f32(x2[0]));
        tarn_quad_mac_f32(s3, &q, tarn_load_f32(x3[0]));
        q = tarn_quad_load_f32(w_at + 4);
        tarn_quad_mac_f32(s0, &q, tarn_load_f32(x0[1]));
        tarn_quad_mac_f32(s1, &q, tarn_load_f32(x1[1]));
        tarn_quad_mac_f32(s2, &q, tarn_load_f32(x2[1]));
        tarn_quad_mac_f32(s3, &q, tarn_load_f32(x3[1]));
        w_at += 8;
        x0 += 2;
        x1 += 2;
        x2 += 2;
        x3 += 2;
    }
}

#endif

/* The range that outputs are clamped to. Bounds that bound nothing cost one test, not two for each output. */
typedef struct {
    tarn_acc_f32 lo, hi;
    int32_t any;
} tarn_bounds_f32;

TARN_FORCE_INLINE tarn_bounds_f32 tarn_make_bounds_f32(tarn_acc_f32 lo, tarn_acc_f32 hi)
{
    tarn_bounds_f32 bounds;
    bounds.lo = lo;
    bounds.hi = hi;
    bounds.any = lo > tarn_lowest_f32 || hi < tarn_highest_f32;
    return bounds;
}

/* Adds the residual r (or none, NULL), clamps, and writes the first `count` (1 to 4) of the four outputs. */
TARN_FORCE_INLINE void tarn_quad_finish_f32(tarn_quad_f32 s, const tarn_f32 *r, tarn_bounds_f32 bounds, tarn_f32 *y, int32_t count)
{
    if (r != NULL) {
        s.a += tarn_load_f32(r[0]);
        s.b += (count > 1) ? tarn_load_f32(r[1]) : 0;
        s.c += (count > 2) ? tarn_load_f32(r[2]) : 0;
        s.d += (count > 3) ? tarn_load_f32(r[3]) : 0;
    }
    if (bounds.any != 0) {
        s.a = tarn_clamp_f32(s.a, bounds.lo, bounds.hi);
        s.b = tarn_clamp_f32(s.b, bounds.lo, bounds.hi);
        s.c = tarn_clamp_f32(s.c, bounds.lo, bounds.hi);
        s.d = tarn_clamp_f32(s.d, bounds.lo, bounds.hi);
    }
    y[0] = tarn_store_f32(s.a);
    if (count >= 4) {
        y[1] = tarn_store_f32(s.b);
        y[2] = tarn_store_f32(s.c);
        y[3] = tarn_store_f32(s.d);
    } else {
        if (count > 1) {
            y[1] = tarn_store_f32(s.b);
        }
        if (count > 2) {
            y[2] = tarn_store_f32(s.c);
        }
    }
}

#endif
