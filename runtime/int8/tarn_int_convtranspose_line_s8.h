/* SPDX-License-Identifier: MIT-0
 * One line of an int8 transposed convolution with requantisation: every pixel gathers what reaches it from the input lines that
 * the caller hands over. */
#ifndef TARN_INT_CONVTRANSPOSE_LINE_S8_H
#define TARN_INT_CONVTRANSPOSE_LINE_S8_H

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
} tarn_int_convtranspose_s8_params;

/* Writes the pixels [first, end) of a line. x[i]: first pixel of the input line that kernel line i adds to it, NULL where there
 * is none; y: the first pixel of the line; w: [groups][ceil(outputs/4)][rows][taps][inputs][4], zero beyond outputs; q: {begin,
 * m, c} times four outputs of a group; exceptions: see tarn_requant.h; scratch: 2 * taps numbers. A pixel's inputs are read until its last output
 * is written. */
TARN_API void tarn_int_convtranspose_line_s8(const tarn_int_convtranspose_s8_params *p, const int8_t *const *x, const int8_t *w,
                                             const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first, int32_t end,
                                             int32_t *scratch);

TARN_END_C
#endif
