/* SPDX-License-Identifier: MIT-0
 * Lines of an average pool of codes: the caller hands over the input lines under the window. */
#ifndef TARN_INT_AVERAGEPOOL_LINE_S8_H
#define TARN_INT_AVERAGEPOOL_LINE_S8_H

#include "tarn_int_code_s8.h"

TARN_BEGIN_C

typedef struct {
    tarn_int_form_s8 requant;
    int32_t channels;
    int32_t rows, taps;                     /* the window */
    int32_t images, in_lines, in_pixels, out_lines, out_pixels;
    int32_t stride[2], dilation[2], pad[2]; /* across lines, along a line; a single line needs the latter only */
    int32_t x_pitch, y_pitch;               /* elements from one pixel to the next; lines follow each other */
    int32_t by_count;                       /* q is found by the number of elements under the window, less 1; else q[0] */
    int32_t zero;                           /* stands for elements outside the image, unless by_count */
} tarn_int_averagepool_s8_params;

/* Writes the pixels [first, end) of a line. x: the first pixels of the lines under the window, NULL outside the image; y: the
 * first pixel of the line; q and exceptions as for tarn_int_averagepool_s8. */
TARN_API void tarn_int_averagepool_line_s8(const tarn_int_averagepool_s8_params *p, const tarn_int_code_s8 *const *x,
                                           const int32_t *q, const int32_t *exceptions, tarn_int_code_s8 *y, int32_t first,
                                           int32_t end);

TARN_END_C
#endif
