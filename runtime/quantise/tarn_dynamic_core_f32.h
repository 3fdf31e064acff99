/* SPDX-License-Identifier: MIT-0
 * Layers whose inputs' scale and zero point are only known at run time: exact sums of products of codes, then floats:
 * y = float(sum) * (x_scale * w_scale) + bias, within [lo, hi], each operation rounded as the model spells it. */
#ifndef TARN_DYNAMIC_CORE_F32_H
#define TARN_DYNAMIC_CORE_F32_H

#include "tarn_byte.h"
#include "tarn_int_lines_s8.h"

TARN_BEGIN_C

typedef struct {
    int32_t groups, inputs, outputs;        /* channels per group */
    int32_t rows, taps;                     /* the kernel */
    int32_t images, in_lines, in_pixels, out_lines, out_pixels;
    int32_t stride[2], dilation[2], pad[2]; /* across lines, along a line */
    int32_t x_pitch, y_pitch;               /* elements from one pixel to the next; lines follow each other */
    int32_t length;                         /* of a patch: rows * taps * inputs, rounded up to a multiple of 4 */
    int32_t zero_flip;                      /* 0x80 where the zero point is signed, else 0 */
    int32_t scale_step;                     /* 0: one scale for all weights; 1: one per output channel */
    float lo, hi;
} tarn_dynamic_conv2d_f32_params;

/* What is known once the call begins: the codes are int8, and so is the zero point. */
typedef struct {
    int32_t zero;
    float scale;
} tarn_dynamic_input;

TARN_FORCE_INLINE tarn_dynamic_input tarn_dynamic_input_of(const tarn_dynamic_conv2d_f32_params *p, const float *x_scale,
                                                           const void *x_zero)
{
    tarn_dynamic_input in;
    in.zero = tarn_byte_zero(x_zero, 0, p->zero_flip) - 128;
    in.scale = (x_scale != NULL) ? *x_scale : 1.0f;
    return in;
}

/* One output; bias: NULL for none. */
TARN_FORCE_INLINE float tarn_dynamic_finish(const tarn_dynamic_conv2d_f32_params *p, int32_t sum, float scale, const float *bias,
                                            int32_t channel)
{
    float v = (float)sum * scale;
    if (bias != NULL) {
        v += bias[channel];
    }
    v = (v < p->lo) ? p->lo : v;
    return (v > p->hi) ? p->hi : v;
}

/* A call of its own: gcc concludes from a line that is not there that the arena is not either, and warns where it sees both. */
static TARN_NOINLINE TARN_UNUSED int8_t *tarn_dynamic_pad(int8_t *patch, int32_t count, int32_t zero)
{
    int32_t i;
    for (i = 0; i < count; ++i) {
        patch[i] = (int8_t)zero;
    }
    return patch + count;
}

/* What lies under the kernel at column `column` for the group whose channels begin at `offset`; padding is the zero point. */
TARN_FORCE_INLINE void tarn_dynamic_gather(const tarn_dynamic_conv2d_f32_params *p, const int8_t *const *lines, int32_t offset,
                                           int32_t column, int32_t zero, int8_t *patch)
{
    int8_t *patch_at = patch;
    int8_t *end = patch_at + p->length;
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        int32_t pixel = column;
        int32_t tap;
        for (tap = 0; tap < p->taps; ++tap) {
            int32_t n = p->inputs;
            if ((lines[row] != NULL) && (pixel >= 0) && (pixel < p->in_pixels)) {
                const int8_t *from = lines[row] + ((ptrdiff_t)pixel * p->x_pitch) + offset;
                do {
                    *patch_at++ = *from++;
                } while (--n != 0);
            } else {
                patch_at = tarn_dynamic_pad(patch_at, n, zero);
            }
            pixel += p->dilation[1];
        }
    }
    while (patch_at != end) {
        *patch_at++ = 0;
    }
}

/* The lines under the kernel for output line n of all images, NULL outside. */
TARN_FORCE_INLINE void tarn_dynamic_lines(const tarn_dynamic_conv2d_f32_params *p, const int8_t *x, int32_t n, const int8_t **lines)
{
    const int8_t *image = x + ((ptrdiff_t)n / p->out_lines * p->in_lines * p->in_pixels * p->x_pitch);
    tarn_int_lines_s8(lines, p->rows, image, (n % p->out_lines * p->stride[0]) - p->pad[0], p->dilation[0], p->in_lines,
                   p->in_pixels * p->x_pitch);
}

/* Adds the products of n codes and of the weights of four outputs to four sums. */
typedef void (*tarn_dynamic_dots)(int32_t *sums, const int8_t *w, const int8_t *x, int32_t n);

/* All outputs of one group for one patch: w: [outputs/4][length/4][4 outputs][4]; w_sums: of four outputs at a time, the sums of
 * their weights without zero points; w_zero: NULL, or their zero points. channel: the first output's. */
TARN_FORCE_INLINE void tarn_dynamic_outputs(const tarn_dynamic_conv2d_f32_params *p, tarn_dynamic_dots dots, tarn_dynamic_input in,
                                            const int8_t *patch, const int8_t *w, const int32_t *w_sums, const int32_t *w_zero,
                                            const float *w_scale, const float *bias, int32_t channel, float *y)
{
    const int8_t *w_at = w;
    const int32_t *w_sums_at = w_sums;
    const int32_t *w_zero_at = w_zero;
    int32_t channel_at = channel;
    float *y_at = y;
    const int32_t end = channel_at + p->outputs;
    int32_t sum = 0;
    if (w_zero_at != NULL) {
        int32_t i;
        for (i = 0; i < p->length; ++i) {
            sum += patch[i];
        }
    }
    while (channel_at != end) {
        int32_t sums[4];
        int32_t i;
        for (i = 0; i < 4; ++i) {
            sums[i] = -in.zero * *w_sums_at++;
            if (w_zero_at != NULL) {
                sums[i] -= *w_zero_at++ * sum;
            }
        }
        dots(sums, w_at, patch, p->length);
        w_at += (ptrdiff_t)4 * p->length;
        for (i = 0; (i < 4) && (channel_at != end); ++i) {
            *y_at++ = tarn_dynamic_finish(p, sums[i], in.scale * w_scale[(ptrdiff_t)channel_at * p->scale_step], bias, channel_at);
            ++channel_at;
        }
    }
}

/* The pixels [first, end) of a line; lines: those under the kernel, NULL outside the image; y: the first pixel of the line. */
TARN_FORCE_INLINE void tarn_dynamic_line(const tarn_dynamic_conv2d_f32_params *p, tarn_dynamic_dots dots, tarn_dynamic_input in,
                                         const int8_t *const *lines, const int8_t *w, const int32_t *w_sums,
                                         const int32_t *w_zero, const float *w_scale, const float *bias, float *y, int32_t first,
                                         int32_t end, int8_t *scratch)
{
    float *y_at = y;
    const int32_t lanes = (p->outputs + 3) / 4 * 4;
    /* A patch is one whole pixel. */
    const int32_t direct = (p->rows == 1) && (p->taps == 1) && (p->groups == 1) && (p->length == p->inputs) && (p->pad[1] == 0);
    int32_t column = (first * p->stride[1]) - p->pad[1];
    int32_t pixel;
    y_at += (ptrdiff_t)first * p->y_pitch;
    for (pixel = first; pixel < end; ++pixel) {
        int32_t group;
        for (group = 0; group < p->groups; ++group) {
            const int8_t *patch = scratch;
            if ((direct != 0) && (lines[0] != NULL) && (column < p->in_pixels)) {
                patch = lines[0] + ((ptrdiff_t)column * p->x_pitch);
            } else {
                tarn_dynamic_gather(p, lines, group * p->inputs, column, in.zero, scratch);
            }
            tarn_dynamic_outputs(p, dots, in, patch, w + ((ptrdiff_t)group * lanes * p->length), w_sums + ((ptrdiff_t)group * lanes),
                                 (w_zero != NULL) ? (w_zero + ((ptrdiff_t)group * lanes)) : NULL, w_scale, bias, group * p->outputs,
                                 y_at + ((ptrdiff_t)group * p->outputs));
        }
        y_at += p->y_pitch;
        column += p->stride[1];
    }
}

TARN_END_C
#endif
