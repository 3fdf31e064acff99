/* SPDX-License-Identifier: MIT-0
 * int8 convolution with requantisation, channels last, whole images. The inputs under the kernel are gathered into patches
 * first: padding becomes the zero point, the inner loop has no test, and an output may overwrite inputs that no later
 * pixel needs. */
#ifndef TARN_INT_CONV2D_S8_H
#define TARN_INT_CONV2D_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t groups, inputs, outputs;        /* channels per group */
    int32_t rows, taps;                     /* the kernel */
    int32_t images, in_lines, in_pixels, out_lines, out_pixels;
    int32_t stride[2], dilation[2], pad[2]; /* across lines, along a line */
    int32_t x_pitch, y_pitch;               /* elements from one pixel to the next; lines follow each other */
    int32_t zero;                           /* of the input */
    int32_t length;                         /* of a patch: rows * taps * inputs, rounded up to a multiple of 4 */
    int32_t block;                          /* patches that the scratch holds */
} tarn_int_conv2d_s8_params;

/* w: see tarn_int_block_s8.h, [groups][ceil(outputs/4)] blocks; q likewise; w_zero: [groups * ceil(outputs/4) * 4] zero points of
 * the weights, or NULL for zeros; exceptions: see tarn_requant.h. Each pixel's inputs are read before it is written,
 * with groups == 1. */
TARN_API void tarn_int_conv2d_s8(const tarn_int_conv2d_s8_params *p, const int8_t *x, const int8_t *w, const int32_t *q,
                                 const int32_t *w_zero, const int32_t *exceptions, int8_t *y, int8_t *scratch);

TARN_END_C
#endif
