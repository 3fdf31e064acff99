/* SPDX-License-Identifier: MIT-0
 * tarn_int_depthwise_line_s8 for fewer than four channels, each by itself; weights without zero points. */
#ifndef TARN_INT_DEPTHWISE_FEW_LINE_S8_H
#define TARN_INT_DEPTHWISE_FEW_LINE_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef int8_t tarn_int_depthwise_few_weight;

typedef struct {
    tarn_requant_params requant;
    int32_t channels;
    int32_t rows, taps;                     /* the kernel */
    int32_t images, in_lines, in_pixels, out_lines, out_pixels;
    int32_t stride[2], dilation[2], pad[2]; /* across lines, along a line; a single line needs the latter only */
    int32_t x_pitch, y_pitch;               /* elements from one pixel to the next; lines follow each other */
    int32_t zero;                           /* of the input */
} tarn_int_depthwise2d_few_s8_params;

/* Writes the pixels [first, end) of a line. x: the first pixels of the lines under the kernel, NULL outside the image; w:
 * [channels][rows * taps, rounded up to a multiple of 3], zeros behind the last; q: {begin, m, c} for each channel; y: the first pixel
 * of the line; taps: room for a pointer per tap, rounded up to a multiple of 3; zeros: room for a pixel; the others as for
 * tarn_int_depthwise2d_s8. */
TARN_API void tarn_int_depthwise_few_line_s8(const tarn_int_depthwise2d_few_s8_params *p, const int8_t *const *x,
                                             const tarn_int_depthwise_few_weight *w, const int32_t *q, const int32_t *exceptions,
                                             int8_t *y, int32_t first, int32_t end, const int8_t **taps, int8_t *zeros);

TARN_END_C
#endif
