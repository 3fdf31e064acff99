/* SPDX-License-Identifier: MIT-0
 * tarn_int_depthwise_mve_line_s8 for 3 x 3 kernels without dilation, whose stride along a line is 1 or 2: each channel of a piece of
 * a line is a run of products. */
#ifndef TARN_INT_DEPTHWISE3X3_MVE_LINE_S8_H
#define TARN_INT_DEPTHWISE3X3_MVE_LINE_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t channels;
    int32_t images, in_lines, in_pixels, out_lines, out_pixels;
    int32_t stride[2], pad[2];              /* across lines, along a line; a single line needs the latter only */
    int32_t x_pitch, y_pitch;               /* elements from one pixel to the next; lines follow each other */
    int32_t zero;                           /* of the input */
    int32_t piece;                          /* pixels of a line that are made at a time */
} tarn_int_depthwise3x3_mve_s8_params;

/* Writes the pixels [first, end) of a line. x: the first pixels of the three lines under the kernel, NULL outside the image; y: the
 * first pixel of the line; the others as for tarn_int_depthwise3x3_mve_s8. What is under a piece is read until the last of it is
 * written. */
TARN_API void tarn_int_depthwise3x3_mve_line_s8(const tarn_int_depthwise3x3_mve_s8_params *p, const int8_t *const *x,
                                                const int8_t *w, const int32_t *q, const int32_t *exceptions, int8_t *y,
                                                int32_t first, int32_t end, int32_t *scratch);

TARN_END_C
#endif
