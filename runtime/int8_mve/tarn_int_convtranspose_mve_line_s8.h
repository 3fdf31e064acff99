/* SPDX-License-Identifier: MIT-0
 * Transposed convolutions for processors with sixteen products of codes at a time: a line, each phase of its pixels as a convolution. */
#ifndef TARN_INT_CONVTRANSPOSE_MVE_LINE_S8_H
#define TARN_INT_CONVTRANSPOSE_MVE_LINE_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t inputs, outputs;                /* channels */
    int32_t rows, taps;                     /* the kernel; none is less than its stride */
    int32_t images, in_lines, in_pixels, out_lines, out_pixels;
    int32_t stride[2], dilation[2], pad[2]; /* across lines, along a line; dilations are 1, no pad is negative */
    int32_t x_pitch, y_pitch;               /* elements from one pixel to the next; lines follow each other */
    int32_t zero;                           /* of the input */
    int32_t block;                          /* patches that the scratch holds: 3, or 1 */
} tarn_int_convtranspose_mve_s8_params;

/* Writes the pixels [first, end) of a line. x[i]: first pixel of the input line that kernel line i adds to it, NULL where there
 * is none; y: the first pixel of the line; w and q: one behind the other, for each phase of lines and within it each of pixels, those of tarn_int_conv2d_mve_s8
 * for its taps, the rows upwards and the taps of a row downwards; scratch: as its patches, for the taps of the first phase;
 * exceptions: see tarn_requant.h. Inputs are read until the line's last pixel is written. */
TARN_API void tarn_int_convtranspose_mve_line_s8(const tarn_int_convtranspose_mve_s8_params *p, const int8_t *const *x, const int8_t *w,
                                                 const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first, int32_t end, int8_t *scratch);

TARN_END_C
#endif
