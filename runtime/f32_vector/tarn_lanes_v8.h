/* SPDX-License-Identifier: MIT-0
 * What the kernels named _v8_ do with eight floats at a time. Those for four and sixteen are the same texts with the suffix
 * replaced. Operands are pointers: wide vectors are passed by value in no way that all compilers agree on. */
#ifndef TARN_LANES_V8_H
#define TARN_LANES_V8_H

#include "tarn_lanes.h"

TARN_FORCE_INLINE void tarn_all_v8(tarn_lanes_v8 *to, float value)
{
#if TARN_VECTORS
    const tarn_lanes_v8 all = TARN_ALL_V8(value);
    *to = all;
#else
    int32_t i;
    for (i = 0; i < TARN_LANES_V8; ++i) {
        to->at[i] = value;
    }
#endif
}

TARN_FORCE_INLINE void tarn_get_v8(tarn_lanes_v8 *to, const float *from)
{
#if TARN_VECTORS
    *to = *(const tarn_packed_v8 *)(const void *)from;
#else
    int32_t i;
    for (i = 0; i < TARN_LANES_V8; ++i) {
        to->at[i] = from[i];
    }
#endif
}

TARN_FORCE_INLINE void tarn_put_v8(float *to, const tarn_lanes_v8 *from)
{
#if TARN_VECTORS
    *(tarn_packed_v8 *)(void *)to = *from;
#else
    int32_t i;
    for (i = 0; i < TARN_LANES_V8; ++i) {
        to[i] = from->at[i];
    }
#endif
}

/* s += w * x, fused where TARN_MAC_V8 is. */
TARN_FORCE_INLINE void tarn_mac_v8(tarn_lanes_v8 *s, const tarn_lanes_v8 *w, const tarn_lanes_v8 *x)
{
#if TARN_VECTORS
    TARN_MAC_V8(*s, *w, *x);
#else
    int32_t i;
    for (i = 0; i < TARN_LANES_V8; ++i) {
        s->at[i] += w->at[i] * x->at[i];
    }
#endif
}

TARN_FORCE_INLINE void tarn_add_v8(tarn_lanes_v8 *s, const tarn_lanes_v8 *x)
{
#if TARN_VECTORS
    *s += *x;
#else
    int32_t i;
    for (i = 0; i < TARN_LANES_V8; ++i) {
        s->at[i] += x->at[i];
    }
#endif
}

/* NaN passes through. */
TARN_FORCE_INLINE void tarn_clamp_v8(tarn_lanes_v8 *v, float lo, float hi)
{
#if TARN_VECTORS
    const tarn_lanes_v8 least = TARN_ALL_V8(lo);
    const tarn_lanes_v8 most = TARN_ALL_V8(hi);
#if defined(TARN_BOUND_V8)
    TARN_BOUND_V8(*v, least, most);
#else
    const tarn_mask_v8 below = *v < least;
    const tarn_lanes_v8 raised = (tarn_lanes_v8)(((tarn_mask_v8)least & below) | ((tarn_mask_v8)*v & ~below));
    const tarn_mask_v8 above = raised > most;
    *v = (tarn_lanes_v8)(((tarn_mask_v8)most & above) | ((tarn_mask_v8)raised & ~above));
#endif
#else
    int32_t i;
    for (i = 0; i < TARN_LANES_V8; ++i) {
        v->at[i] = (v->at[i] < lo) ? lo : v->at[i];
        v->at[i] = (v->at[i] > hi) ? hi : v->at[i];
    }
#endif
}

/* The first `count` lanes, the others are zero. */
TARN_FORCE_INLINE void tarn_get_some_v8(tarn_lanes_v8 *to, const float *from, int32_t count)
{
#if defined(TARN_GET_SOME_V8)
    TARN_GET_SOME_V8(*to, from, count);
#else
    float lanes[TARN_LANES_V8];
    int32_t i;
    for (i = 0; i < TARN_LANES_V8; ++i) {
        lanes[i] = (i < count) ? from[i] : 0.0F;
    }
    tarn_get_v8(to, lanes);
#endif
}

TARN_BEGIN_C

/* Adds the residual r (or none, NULL), clamps to [lo, hi] and writes the first `count` (1 to 7) lanes. */
TARN_API void tarn_lanes_v8_finish_some(const tarn_lanes_v8 *s, const float *r, float lo, float hi, float *y, int32_t count);

TARN_END_C

/* The same of any number of lanes from 1 on. */
TARN_FORCE_INLINE void tarn_finish_v8(const tarn_lanes_v8 *s, const float *r, float lo, float hi, float *y, int32_t count)
{
    tarn_lanes_v8 v = *s;
    if (count >= TARN_LANES_V8) {
        if (r != NULL) {
            tarn_lanes_v8 rest;
            tarn_get_v8(&rest, r);
            tarn_add_v8(&v, &rest);
        }
        tarn_clamp_v8(&v, lo, hi);
        tarn_put_v8(y, &v);
    } else {
#if defined(TARN_PUT_SOME_V8)
        if (r != NULL) {
            tarn_lanes_v8 rest;
            tarn_get_some_v8(&rest, r, count);
            tarn_add_v8(&v, &rest);
        }
        tarn_clamp_v8(&v, lo, hi);
        TARN_PUT_SOME_V8(y, v, count);
#else
        tarn_lanes_v8_finish_some(&v, r, lo, hi, y, count);
#endif
    }
}

#endif
