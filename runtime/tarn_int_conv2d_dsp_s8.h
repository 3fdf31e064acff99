/* SPDX-License-Identifier: MIT-0
 * tarn_int_conv2d_s8 for processors with pairs of 16-bit products: patches of three pixels are widened to 16 bits and meet
 * two outputs at a time. One group, weights without zero points.
 */
#ifndef TARN_INT_CONV2D_DSP_S8_H
#define TARN_INT_CONV2D_DSP_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t inputs, outputs;                /* channels */
    int32_t rows, taps;                     /* the kernel */
    int32_t images, in_lines, in_pixels, out_lines, out_pixels;
    int32_t stride[2], dilation[2], pad[2]; /* across lines, along a line */
    int32_t x_pitch, y_pitch;               /* elements from one pixel to the next; lines follow each other */
    int32_t zero;                           /* of the input */
    int32_t length;                         /* of a patch: rows * taps * inputs, rounded up to a multiple of 8 */
    int32_t wide;                           /* three pixels at a time; else one, four outputs at a time */
} tarn_int_conv2d_dsp_s8_params;

/* w in words, zero beyond outputs and length: wide, [ceil(outputs/2)][length/4][2 outputs][4], and q has {begin, m, c} times two
 * outputs; else [ceil(outputs/4)][length/4][4 outputs][4], and q as for tarn_int_conv2d_s8. exceptions: see tarn_requant.h.
 * scratch: 3 * length 16-bit elements, NULL unless wide; bytes: length codes, NULL when wide and `inputs` is a multiple of 4. Each
 * pixel's inputs are read before it is written. */
TARN_API void tarn_int_conv2d_dsp_s8(const tarn_int_conv2d_dsp_s8_params *p, const int8_t *x, const int32_t *w,
                                     const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t *scratch,
                                     int8_t *bytes);

TARN_END_C
#endif
