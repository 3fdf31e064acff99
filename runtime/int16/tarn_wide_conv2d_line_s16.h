/* SPDX-License-Identifier: MIT-0
 * Lines of a convolution of 16-bit codes by 8-bit weights: the caller hands over the input lines under the kernel. The inputs under
 * the kernel are gathered into a patch first, so that an output may overwrite inputs that no later pixel needs. */
#ifndef TARN_WIDE_CONV2D_LINE_S16_H
#define TARN_WIDE_CONV2D_LINE_S16_H

#include "tarn_wide.h"

TARN_BEGIN_C

typedef struct {
    tarn_wide_params codes;
    int32_t groups, inputs, outputs;        /* channels per group */
    int32_t rows, taps;                     /* the kernel */
    int32_t images, in_lines, in_pixels, out_lines, out_pixels;
    int32_t stride[2], dilation[2], pad[2]; /* across lines, along a line; a single line needs the latter only */
    int32_t x_pitch, y_pitch;               /* elements from one pixel to the next; lines follow each other */
    int32_t zero;                           /* of the input */
    int32_t length;                         /* of a patch: rows * taps * inputs, rounded up to a multiple of 4 */
    int32_t piece;                          /* elements whose sum fits 32 bits: a multiple of 4 */
} tarn_wide_conv2d_s16_params;

/* Writes the pixels [first, end) of a line. x: the first pixels of the lines under the kernel, NULL outside the image; y: the
 * first pixel of the line; patch: room for length elements of 16 bits; the others as for tarn_wide_conv2d_s16. */
TARN_API void tarn_wide_conv2d_line_s16(const tarn_wide_conv2d_s16_params *p, const int16_t *const *x, const int32_t *w,
                                        const int32_t *q, int16_t *y, int32_t first, int32_t end, int32_t *patch);

TARN_END_C
#endif
