/* SPDX-License-Identifier: MIT-0
 * A convolution over the rows of a window that is a ring, channels last. */
#ifndef TARN_CONV_RING_F32_H
#define TARN_CONV_RING_F32_H

#include "tarn_conv_line_f32.h"
#include "tarn_ring_f32.h"

TARN_BEGIN_C

typedef struct {
    tarn_conv_line_f32_params line;
    tarn_ring_params ring;
    int32_t dilation;           /* across rows */
    int32_t out_lines, out_pixels;
    int32_t y_line, r_line;     /* elements from one line to the next */
} tarn_conv_ring_f32_params;

/* x: the ring, whose oldest row is the first under the kernel. lines: room for line.rows pointers. The others as for the line
 * kernel. */
TARN_API void tarn_conv_ring_f32(const tarn_conv_ring_f32_params *p, const tarn_f32 *x, const tarn_f32 *w, const tarn_f32 *b,
                              const tarn_f32 *r, tarn_f32 *y, const tarn_f32 **lines);

TARN_END_C
#endif
