/* SPDX-License-Identifier: MIT-0
 * What int8 convolutions by patches share: the gathering of the inputs under the kernel, and the end of four outputs. */
#ifndef TARN_INT_CONV2D_PATCH_S8_H
#define TARN_INT_CONV2D_PATCH_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t groups, inputs, outputs;        /* channels per group */
    int32_t rows, taps;                     /* the kernel */
    int32_t images, in_lines, in_pixels, out_lines, out_pixels;
    int32_t stride[2], dilation[2], pad[2]; /* across lines, along a line; a single line needs the latter only */
    int32_t x_pitch, y_pitch;               /* elements from one pixel to the next; lines follow each other */
    int32_t zero;                           /* of the input */
    int32_t length;                         /* of a patch: rows * taps * inputs, rounded up to a multiple of 4 */
} tarn_int_conv2d_s8_params;

/* n codes, `step` elements apart, some of them with their highest bit changed. */
TARN_FORCE_INLINE int8_t *int_conv2d_spread_s8(int8_t *d, int32_t step, const int8_t *from, int32_t n, int32_t flip)
{
    int8_t *d_at = d;
    const int8_t *from_at = from;
    const int8_t *end = from_at + (n & ~3);
    while (from_at != end) {
        d_at[0] = (int8_t)(from_at[0] ^ flip);
        d_at[step] = (int8_t)(from_at[1] ^ flip);
        d_at[(ptrdiff_t)2 * step] = (int8_t)(from_at[2] ^ flip);
        d_at[(ptrdiff_t)3 * step] = (int8_t)(from_at[3] ^ flip);
        d_at += (ptrdiff_t)4 * step;
        from_at += 4;
    }
    end += n & 3;
    while (from_at != end) {
        *d_at = (int8_t)(*from_at++ ^ flip);
        d_at += step;
    }
    return d_at;
}

TARN_INLINE int8_t *int_conv2d_fill_s8(int8_t *d, int32_t step, int32_t code, int32_t n)
{
    int8_t *d_at = d;
    int32_t n_left = n;
    for (; n_left > 0; --n_left) {
        *d_at = (int8_t)code;
        d_at += step;
    }
    return d_at;
}

/* Copies what lies under the kernel at column `column`, for the group whose channels begin at `offset`, to every `step`th element. */
TARN_FORCE_INLINE void int_conv2d_gather_s8(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, int32_t offset,
                                            int32_t column, int32_t step, int32_t flip, int8_t *d)
{
    int8_t *d_at = d;
    const int32_t inputs = p->inputs;
    const int32_t joined = (p->x_pitch == inputs) && (p->dilation[1] == 1);
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        const int8_t *line = x[row];
        if ((joined != 0) && (line != NULL) && (column >= 0) && ((column + p->taps) <= p->in_pixels)) {
            d_at = int_conv2d_spread_s8(d_at, step, line + ((ptrdiff_t)column * inputs), p->taps * inputs, flip);
        } else {
            int32_t tap;
            for (tap = 0; tap < p->taps; ++tap) {
                const int32_t pixel = column + (tap * p->dilation[1]);
                if ((line != NULL) && (pixel >= 0) && (pixel < p->in_pixels)) {
                    d_at = int_conv2d_spread_s8(d_at, step, line + ((ptrdiff_t)pixel * p->x_pitch) + offset, inputs, flip);
                } else {
                    d_at = int_conv2d_fill_s8(d_at, step, p->zero ^ flip, inputs);
                }
            }
        }
    }
    int_conv2d_fill_s8(d_at, step, 0, p->length - (p->rows * p->taps * inputs));
}

TARN_INLINE void int_conv2d_finish_s8(const tarn_int_conv2d_s8_params *p, const int32_t *sums, const int32_t *q,
                                      const int32_t *exceptions, int32_t channel, int8_t *y, int32_t count)
{
    const int32_t *sums_at = sums;
    const int32_t *q_at = q;
    int32_t channel_at = channel;
    int8_t *y_at = y;
    const int8_t *end = y_at + ((count < 4) ? count : 4);
    do {
        *y_at++ = (int8_t)tarn_requant(&p->requant, exceptions, channel_at, *sums_at++, q_at[4], q_at[8]);
        ++channel_at;
        ++q_at;
    } while (y_at != end);
}

TARN_END_C
#endif
