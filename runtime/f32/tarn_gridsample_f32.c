/* SPDX-License-Identifier: MIT-0 */
#include "tarn_gridsample_f32.h"
#include "tarn_resize_axis.h"

/* What a sample takes from along one axis; index -1: a zero outside. */
typedef struct {
    int32_t index[4];
    float weight[4];
} gridsample_taps_f32;

/* Mirrored at lo and hi until it lies between them. */
static float gridsample_reflect_f32(float v, float lo, float hi)
{
    const float range = hi - lo;
    float rest;
    int32_t times;
    if (!(range > 0.0f)) {
        return lo;
    }
    rest = (v < lo) ? (lo - v) : (v > hi) ? (v - hi) : 0.0f;
    if (!(rest > 0.0f)) {
        return v;
    }
    times = tarn_resize_floor(rest / range);
    rest -= (float)times * range;
    return (((times & 1) == 0) == (v < lo)) ? (lo + rest) : (hi - rest);
}

static int32_t gridsample_index_f32(const tarn_gridsample_f32_params *p, int32_t in, int32_t at, float lo, float hi)
{
    int32_t at_now = at;
    if ((at_now >= 0) && (at_now < in)) {
        return at_now;
    }
    if (p->padding == TARN_GRIDSAMPLE_F32_ZEROS) {
        return -1;
    }
    if (p->padding == TARN_GRIDSAMPLE_F32_REFLECTION) {
        at_now = (int32_t)gridsample_reflect_f32((float)at_now, lo, hi);
    }
    return (at_now < 0) ? 0 : (at_now >= in) ? (in - 1) : at_now;
}

static gridsample_taps_f32 gridsample_axis_f32(const tarn_gridsample_f32_params *p, int32_t in, float coordinate)
{
    static const tarn_resize_rule linear = {TARN_RESIZE_LINEAR, 0, 0, 0, 0, 0.0f};
    static const tarn_resize_rule cubic = {TARN_RESIZE_CUBIC, 0, 0, 0, 0, -0.75f};
    const float last = (float)in - 1.0f;
    const float lo = (p->align_corners != 0) ? 0.0f : -0.5f;
    const float hi = (p->align_corners != 0) ? last : (last + 0.5f);
    float at = (p->align_corners != 0) ? ((coordinate + 1.0f) / 2.0f * last) : ((((coordinate + 1.0f) * (float)in) - 1.0f) / 2.0f);
    gridsample_taps_f32 t = {{0, 0, 0, 0}, {0.0f, 0.0f, 0.0f, 0.0f}};
    int32_t first;
    int32_t i;
    if (p->taps == 1) {
        /* Halves go to the even neighbour. */
        const int32_t below = tarn_resize_floor(at);
        const float rest = at - (float)below;
        at = (float)(((rest > 0.5f) || (!(rest < 0.5f) && ((below & 1) != 0))) ? (below + 1) : below);
    }
    if (!((at >= lo) && (at <= hi))) {
        if (p->padding == TARN_GRIDSAMPLE_F32_BORDER) {
            /* Cubic weights keep the place outside, as where the operator comes from: only the pixels are the border's. */
            at = (p->taps == 4) ? at : (at > 0.0f) ? last : 0.0f;
        } else if (p->padding == TARN_GRIDSAMPLE_F32_REFLECTION) {
            at = gridsample_reflect_f32(at, lo, hi);
        } else {
            /* zeros: pixels outside are told apart where they are read */
        }
    }
    first = tarn_resize_floor(at);
    first = (p->taps == 4) ? (first - 1) : first;
    for (i = 0; i < p->taps; ++i) {
        t.index[i] = gridsample_index_f32(p, in, first + i, lo, hi);
        t.weight[i] = (p->taps == 1) ? 1.0f : tarn_resize_weight((p->taps == 2) ? &linear : &cubic, (float)(first + i) - at);
    }
    return t;
}

/* Up to 4 channels of one sample. */
static void gridsample_quad_f32(const tarn_gridsample_f32_params *p, const tarn_f32 *x, const gridsample_taps_f32 *t, const int32_t *taps,
                                int32_t count, tarn_f32 *y)
{
    tarn_acc_f32 sum[4] = {0, 0, 0, 0};
    int32_t k;
    int32_t c;
    for (k = 0; k < (taps[0] * taps[1] * taps[2]); ++k) {
        const int32_t z = k / (taps[1] * taps[2]);
        const int32_t l = k / taps[2] % taps[1];
        const int32_t i = k % taps[2];
        const float weight = t[0].weight[z] * t[1].weight[l] * t[2].weight[i];
        if ((t[0].index[z] >= 0) && (t[1].index[l] >= 0) && (t[2].index[i] >= 0)) {
            const tarn_f32 *from = x + ((ptrdiff_t)((((t[0].index[z] * p->in[1]) + t[1].index[l]) * p->in[2]) + t[2].index[i]) * p->channels);
            for (c = 0; c < count; ++c) {
                sum[c] += (p->taps == 1) ? tarn_load_f32(from[c]) : (tarn_acc_f32)weight * tarn_load_f32(from[c]);
            }
        }
    }
    for (c = 0; c < count; ++c) {
        y[c] = tarn_store_f32(sum[c]);
    }
}

TARN_API void tarn_gridsample_f32(const tarn_gridsample_f32_params *p, const tarn_f32 *x, const float *grid, tarn_f32 *y)
{
    const tarn_f32 *x_at = x;
    const float *grid_at = grid;
    tarn_f32 *y_at = y;
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t sample;
        for (sample = 0; sample < p->samples; ++sample) {
            gridsample_taps_f32 t[3] = {{{0, 0, 0, 0}, {1.0f, 0.0f, 0.0f, 0.0f}},
                                        {{0, 0, 0, 0}, {1.0f, 0.0f, 0.0f, 0.0f}},
                                        {{0, 0, 0, 0}, {1.0f, 0.0f, 0.0f, 0.0f}}};
            int32_t taps[3] = {1, 1, 1};
            int32_t i;
            for (i = 0; i < p->dims; ++i) {
                t[2 - i] = gridsample_axis_f32(p, p->in[2 - i], grid_at[i]);
                taps[2 - i] = p->taps;
            }
            for (i = 0; i < p->channels; i += 4) {
                gridsample_quad_f32(p, x_at + i, t, taps, ((p->channels - i) < 4) ? (p->channels - i) : 4, y_at + i);
            }
            grid_at += p->dims;
            y_at += p->channels;
        }
        x_at += (ptrdiff_t)p->in[0] * p->in[1] * p->in[2] * p->channels;
    }
}
