/* SPDX-License-Identifier: MIT-0
 * Resizing along one axis: where an output position lies in the input, and with which weights it takes from there. The
 * generator makes its tables with this text too, so that scales known only at run time give the same result. */
#ifndef TARN_RESIZE_AXIS_H
#define TARN_RESIZE_AXIS_H

#include "tarn.h"

enum { TARN_RESIZE_NEAREST, TARN_RESIZE_LINEAR, TARN_RESIZE_CUBIC };
enum {
    TARN_RESIZE_HALF_PIXEL,
    TARN_RESIZE_HALF_PIXEL_SYMMETRIC,
    TARN_RESIZE_PYTORCH_HALF_PIXEL,
    TARN_RESIZE_ALIGN_CORNERS,
    TARN_RESIZE_ASYMMETRIC,
    TARN_RESIZE_HALF_PIXEL_FOR_NN,
    TARN_RESIZE_CROP
};
enum { TARN_RESIZE_PREFER_FLOOR, TARN_RESIZE_PREFER_CEIL, TARN_RESIZE_FLOOR, TARN_RESIZE_CEIL, TARN_RESIZE_OPSET_10 };

/* The same for all axes. */
typedef struct {
    int32_t mode, transform, nearest; /* of the three lists above */
    int32_t antialias, exclude_outside;
    float cubic_a;
} tarn_resize_rule;

typedef struct {
    int32_t in, out;
    float scale;
    float length;                /* of the output before it is rounded down: scale * in */
    float roi_start, roi_end;    /* fractions of the input; for TARN_RESIZE_CROP */
} tarn_resize_axis;

/* The input positions [first, first + count) have weight(first + i - at) each, divided by `total`; those outside the input
 * stand for the nearest inside. */
typedef struct {
    int32_t first, count;
    float at, shrink, total;
    int32_t outside;             /* nothing is taken: the position lies outside the region, TARN_RESIZE_CROP */
} tarn_resize_taps;

TARN_INLINE int32_t tarn_resize_floor(float v)
{
    int32_t whole;
    if (!(v > -1.0e9f)) {
        return -1000000000;
    }
    if (v > 1.0e9f) {
        return 1000000000;
    }
    whole = (int32_t)v;
    return ((float)whole > v) ? (whole - 1) : whole;
}

/* Where output position `o` lies among the input's positions. */
TARN_INLINE float tarn_resize_source(const tarn_resize_rule *rule, const tarn_resize_axis *axis, int32_t o)
{
    const float v = (float)o;
    float at = ((v + 0.5f) / axis->scale) - 0.5f;
    if (rule->transform == TARN_RESIZE_ASYMMETRIC) {
        at = v / axis->scale;
    } else if (rule->transform == TARN_RESIZE_HALF_PIXEL_FOR_NN) {
        at = (v + 0.5f) / axis->scale;
    } else if (rule->transform == TARN_RESIZE_ALIGN_CORNERS) {
        at = (axis->out <= 1) ? 0.0f : (v * (float)(axis->in - 1) / (axis->length - 1.0f));
    } else if (rule->transform == TARN_RESIZE_PYTORCH_HALF_PIXEL) {
        at = (axis->out <= 1) ? 0.0f : at;
    } else if (rule->transform == TARN_RESIZE_HALF_PIXEL_SYMMETRIC) {
        at += 0.5f * (float)axis->in * (1.0f - ((float)axis->out / axis->length));
    } else if (rule->transform == TARN_RESIZE_CROP) {
        const float last = (float)(axis->in - 1);
        const float extent = axis->roi_end - axis->roi_start;
        if (axis->out <= 1) {
            at = 0.5f * (axis->roi_start + axis->roi_end) * last;
        } else {
            at = (axis->roi_start * last) + (v * extent * last / (float)(axis->out - 1));
        }
    } else {
        /* half_pixel, as above */
    }
    return at;
}

TARN_INLINE float tarn_resize_weight(const tarn_resize_rule *rule, float distance)
{
    const float d = (distance < 0.0f) ? -distance : distance;
    const float a = rule->cubic_a;
    if (rule->mode == TARN_RESIZE_LINEAR) {
        return (d < 1.0f) ? (1.0f - d) : 0.0f;
    }
    if (d <= 1.0f) {
        return ((((a + 2.0f) * d) - (a + 3.0f)) * d * d) + 1.0f;
    }
    return (d < 2.0f) ? ((((((a * d) - (5.0f * a)) * d) + (8.0f * a)) * d) - (4.0f * a)) : 0.0f;
}

/* Weight i of the taps of an output position; 0 where nothing is taken from outside. */
TARN_INLINE float tarn_resize_tap(const tarn_resize_rule *rule, const tarn_resize_axis *axis, const tarn_resize_taps *t,
                                  int32_t i)
{
    const int32_t at = t->first + i;
    if (rule->mode == TARN_RESIZE_NEAREST) {
        return 1.0f;
    }
    if ((rule->exclude_outside != 0) && ((at < 0) || (at >= axis->in))) {
        return 0.0f;
    }
    return tarn_resize_weight(rule, ((float)at - t->at) * t->shrink) / t->total;
}

/* Opset 10 says nothing of rounding; as ONNX Runtime does it: up on axes that shrink, down on the others. */
TARN_INLINE int32_t tarn_resize_nearest_of(const tarn_resize_rule *rule, float scale, float at)
{
    const int32_t below = tarn_resize_floor(at);
    const float rest = at - (float)below;
    switch (rule->nearest) {
    case TARN_RESIZE_FLOOR:
        return below;
    case TARN_RESIZE_OPSET_10:
        return ((rest > 0.0f) && (scale < 1.0f)) ? (below + 1) : below;
    case TARN_RESIZE_CEIL:
        return (rest > 0.0f) ? (below + 1) : below;
    case TARN_RESIZE_PREFER_CEIL:
        return (rest < 0.5f) ? below : (below + 1);
    default:
        return (rest > 0.5f) ? (below + 1) : below;
    }
}

/* What is taken where an output position lies at `at` among the input's. */
TARN_INLINE tarn_resize_taps tarn_resize_taps_at(const tarn_resize_rule *rule, const tarn_resize_axis *axis, float at)
{
    const float shortest = 0.5f / (float)axis->in; /* smaller scales leave no output, rounded up neither */
    tarn_resize_taps t;
    t.at = at;
    t.outside = (rule->transform == TARN_RESIZE_CROP) && !((t.at >= 0.0f) && (t.at <= (float)(axis->in - 1)));
    t.total = 1.0f;
    t.shrink = 1.0f;
    if (rule->mode == TARN_RESIZE_NEAREST) {
        t.first = tarn_resize_nearest_of(rule, axis->scale, t.at);
        t.count = 1;
        return t;
    }
    t.count = (rule->mode == TARN_RESIZE_CUBIC) ? 4 : 2;
    if ((rule->antialias != 0) && (axis->scale < 1.0f)) {
        /* The filter grows with the step between output positions. */
        t.shrink = (axis->scale > shortest) ? axis->scale : shortest;
        t.count = 2 - (2 * (tarn_resize_floor(-0.5f * (float)t.count / t.shrink) + 1));
    }
    t.first = tarn_resize_floor(t.at);
    t.first += (((float)t.first == t.at) ? 0 : 1) - (t.count / 2);
    if ((rule->antialias != 0) || (rule->exclude_outside != 0)) {
        float total = 0.0f;
        int32_t i;
        for (i = 0; i < t.count; ++i) {
            total += tarn_resize_tap(rule, axis, &t, i);
        }
        t.total = ((total < 0.0f) || (total > 0.0f)) ? total : 1.0f;
    }
    return t;
}

TARN_INLINE tarn_resize_taps tarn_resize_taps_of(const tarn_resize_rule *rule, const tarn_resize_axis *axis, int32_t o)
{
    return tarn_resize_taps_at(rule, axis, tarn_resize_source(rule, axis, o));
}

#endif
