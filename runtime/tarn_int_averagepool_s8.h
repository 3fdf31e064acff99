/* SPDX-License-Identifier: MIT-0
 * int8 average pool with requantisation, channels last, whole images; a window as large as the image is a global pool. */
#ifndef TARN_INT_AVERAGEPOOL_S8_H
#define TARN_INT_AVERAGEPOOL_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t channels;
    int32_t rows, taps;                     /* the window */
    int32_t images, in_lines, in_pixels, out_lines, out_pixels;
    int32_t stride[2], dilation[2], pad[2]; /* across lines, along a line */
    int32_t x_pitch, y_pitch;               /* elements from one pixel to the next; lines follow each other */
    int32_t by_count;                       /* q is found by the number of elements under the window, less 1; else q[0] */
    int32_t zero;                           /* stands for elements outside the image, unless by_count */
} tarn_int_averagepool_s8_params;

/* q: {bias, m, c} for each count. A pixel's inputs are read for the last time before the next is written. */
TARN_API void tarn_int_averagepool_s8(const tarn_int_averagepool_s8_params *p, const int8_t *x, const int32_t *q,
                                      const int32_t *exceptions, int8_t *y);

TARN_END_C
#endif
