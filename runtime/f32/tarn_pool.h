/* SPDX-License-Identifier: MIT-0
 * What pools over windows have in common. */
#ifndef TARN_POOL_H
#define TARN_POOL_H

#include "tarn.h"

/* One line. */
typedef struct {
    int32_t rows;                      /* input lines under the window */
    int32_t taps, dilation;            /* columns of the window, and pixels from one to the next */
    int32_t stride, pad, pad_end;      /* along the line */
    int32_t in_pixels, channels;
    int32_t x_pitch, y_pitch;          /* elements from one pixel to the next */
    int32_t option;                    /* average: padding counts; Lp: p; indices: column-major */
} tarn_pool_line_params;

/* Whole images, channels last; arrays give planes and lines, with 1 where there are no planes. */
typedef struct {
    tarn_pool_line_params line;
    int32_t images;
    int32_t in[2], out[2], kernel[2], stride[2], dilation[2], pad[2], pad_end[2];
    int32_t out_pixels;
    int32_t x_line, y_line;            /* elements from one line to the next */
} tarn_pool_params;

/* The number, within its image, of the input line under one row of the window; -1 for padding. */
TARN_FORCE_INLINE int32_t tarn_pool_row(const tarn_pool_params *p, int32_t plane, int32_t line, int32_t kernel_row)
{
    const int32_t z = (plane * p->stride[0]) - p->pad[0] + (kernel_row / p->kernel[1] * p->dilation[0]);
    const int32_t at = (line * p->stride[1]) - p->pad[1] + (kernel_row % p->kernel[1] * p->dilation[1]);
    const int32_t inside = (z >= 0) && (z < p->in[0]) && (at >= 0) && (at < p->in[1]);
    return (inside != 0) ? ((z * p->in[1]) + at) : -1;
}

/* How many kernel rows of an output line lie in the image and its padding: windows of rounded-up pools may stick out. */
TARN_FORCE_INLINE int32_t tarn_pool_padded_rows(const tarn_pool_params *p, int32_t plane, int32_t line)
{
    int32_t count[2];
    int32_t axis;
    for (axis = 0; axis < 2; ++axis) {
        int32_t at = (((axis == 0) ? plane : line) * p->stride[axis]) - p->pad[axis];
        int32_t k;
        count[axis] = 0;
        for (k = 0; k < p->kernel[axis]; ++k) {
            count[axis] += at < (p->in[axis] + p->pad_end[axis]);
            at += p->dilation[axis];
        }
    }
    return count[0] * count[1];
}

/* The columns [first, end) of the window of output pixel `pixel` that lie in the line. */
TARN_FORCE_INLINE int32_t tarn_pool_first_tap(const tarn_pool_line_params *p, int32_t pixel)
{
    const int32_t at = (pixel * p->stride) - p->pad;
    return (at >= 0) ? 0 : ((-at + p->dilation - 1) / p->dilation);
}
TARN_FORCE_INLINE int32_t tarn_pool_end_tap(const tarn_pool_line_params *p, int32_t pixel, int32_t limit)
{
    const int32_t room = limit - ((pixel * p->stride) - p->pad);
    const int32_t taps = (room <= 0) ? 0 : ((room + p->dilation - 1) / p->dilation);
    return (taps < p->taps) ? taps : p->taps;
}

#endif
