/* SPDX-License-Identifier: MIT-0
 * Lines of a depthwise convolution of 16-bit codes: the caller hands over the input lines under the kernel. */
#ifndef TARN_WIDE_DEPTHWISE_LINE_S16_H
#define TARN_WIDE_DEPTHWISE_LINE_S16_H

#include "tarn_wide.h"

TARN_BEGIN_C

typedef struct {
    tarn_wide_params codes;
    int32_t channels;
    int32_t rows, taps;                     /* the kernel */
    int32_t images, in_lines, in_pixels, out_lines, out_pixels;
    int32_t stride[2], dilation[2], pad[2]; /* across lines, along a line; a single line needs the latter only */
    int32_t x_pitch, y_pitch;               /* elements from one pixel to the next; lines follow each other */
    int32_t zero;                           /* of the input */
} tarn_wide_depthwise2d_s16_params;

/* Writes the pixels [first, end) of a line. x: the first pixels of the lines under the kernel, NULL outside the image; y: the
 * first pixel of the line; taps: room for rows * taps pointers; zeros: room for `channels` elements; the others as for
 * tarn_wide_depthwise2d_s16. */
TARN_API void tarn_wide_depthwise_line_s16(const tarn_wide_depthwise2d_s16_params *p, const int16_t *const *x, const int8_t *w,
                                           const int32_t *q, int16_t *y, int32_t first, int32_t end, const int16_t **taps,
                                           int16_t *zeros);

TARN_END_C
#endif
