/* SPDX-License-Identifier: MIT-0 */
#include "tarn_deformconv_f32.h"

/* A pixel between pixels, 0 outside. x: that channel of the image. */
static tarn_acc_f32 deformconv_sample_f32(const tarn_deformconv_f32_params *p, const tarn_f32 *x, tarn_acc_f32 v, tarn_acc_f32 h)
{
    tarn_acc_f32 sum = 0;
    int32_t line, pixel, i;
    if (!((v > -1) && (v < (tarn_acc_f32)p->in[0]) && (h > -1) && (h < (tarn_acc_f32)p->in[1]))) {
        return 0;
    }
    line = (v < 0) ? -1 : (int32_t)v;
    pixel = (h < 0) ? -1 : (int32_t)h;
    for (i = 0; i < 4; ++i) {
        const int32_t l = line + (i / 2);
        const int32_t c = pixel + (i % 2);
        const tarn_acc_f32 down = ((i / 2) != 0) ? (v - (tarn_acc_f32)line) : (1 - (v - (tarn_acc_f32)line));
        const tarn_acc_f32 across = ((i % 2) != 0) ? (h - (tarn_acc_f32)pixel) : (1 - (h - (tarn_acc_f32)pixel));
        if ((l >= 0) && (l < p->in[0]) && (c >= 0) && (c < p->in[1])) {
            sum += down * across * tarn_load_f32(x[(ptrdiff_t)((l * p->in[1]) + c) * p->inputs]);
        }
    }
    return sum;
}

/* All taps of all channels for one output pixel, in the order of the weights. */
static void deformconv_taps_f32(const tarn_deformconv_f32_params *p, const tarn_f32 *x, const tarn_f32 *offsets, const tarn_f32 *mask,
                                int32_t line, int32_t pixel, tarn_acc_f32 *taps)
{
    tarn_acc_f32 *taps_at = taps;
    const int32_t area = p->out[0] * p->out[1];
    const int32_t count = p->kernel[0] * p->kernel[1];
    const int32_t at = (line * p->out[1]) + pixel;
    int32_t c;
    for (c = 0; c < p->inputs; ++c) {
        const int32_t group = c / (p->inputs / p->offset_groups);
        int32_t k;
        for (k = 0; k < count; ++k) {
            const int32_t tap = (group * count) + k;
            const int32_t v = (line * p->stride[0]) - p->pad[0] + (k / p->kernel[1] * p->dilation[0]);
            const int32_t h = (pixel * p->stride[1]) - p->pad[1] + (k % p->kernel[1] * p->dilation[1]);
            const tarn_acc_f32 sample =
                deformconv_sample_f32(p, x + c, (tarn_acc_f32)v + tarn_load_f32(offsets[(2 * tap * area) + at]),
                                      (tarn_acc_f32)h + tarn_load_f32(offsets[(((2 * tap) + 1) * area) + at]));
            *taps_at = (mask != NULL) ? sample * tarn_load_f32(mask[(tap * area) + at]) : sample;
            ++taps_at;
        }
    }
}

TARN_API void tarn_deformconv_f32(const tarn_deformconv_f32_params *p, const tarn_f32 *x, const tarn_f32 *w, const tarn_f32 *offsets,
                                  const tarn_f32 *b, const tarn_f32 *mask, tarn_acc_f32 *taps, tarn_f32 *y)
{
    const tarn_f32 *x_at = x;
    const tarn_f32 *offsets_at = offsets;
    const tarn_f32 *mask_at = mask;
    tarn_f32 *y_at = y;
    const int32_t area = p->out[0] * p->out[1];
    const int32_t count = p->kernel[0] * p->kernel[1];
    const int32_t length = p->inputs / p->groups * count;
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t at;
        for (at = 0; at < area; ++at) {
            int32_t o;
            deformconv_taps_f32(p, x_at, offsets_at, mask_at, at / p->out[1], at % p->out[1], taps);
            for (o = 0; o < p->outputs; ++o) {
                const tarn_acc_f32 *from = taps + ((ptrdiff_t)o / (p->outputs / p->groups) * length);
                tarn_acc_f32 sum = (b != NULL) ? tarn_load_f32(b[o]) : 0;
                int32_t i;
                for (i = 0; i < length; ++i) {
                    sum += tarn_load_f32(w[(o * length) + i]) * from[i];
                }
                *y_at = tarn_store_f32(sum);
                ++y_at;
            }
        }
        x_at += (ptrdiff_t)p->in[0] * p->in[1] * p->inputs;
        offsets_at += (ptrdiff_t)2 * p->offset_groups * count * area;
        mask_at = (mask_at != NULL) ? (mask_at + ((ptrdiff_t)p->offset_groups * count * area)) : NULL;
    }
}
