/* SPDX-License-Identifier: MIT-0
 * Convolution of whole images, channels last, over vectors of outputs. Each two vectors are made for all images before the
 * next, so that their weights are read from the nearest cache: the output lies apart from the input. */
#ifndef TARN_CONV2D_V8_F32_H
#define TARN_CONV2D_V8_F32_H

#include "tarn_conv_line_v8_f32.h"

TARN_BEGIN_C

typedef struct {
    tarn_conv_line_v8_f32_params line;
    int32_t images, in_lines, out_lines, out_pixels;
    int32_t stride, pad, dilation;              /* across lines */
    int32_t x_line, y_line, r_line;             /* elements from one line to the next */
} tarn_conv2d_v8_f32_params;

/* lines: room for line.rows pointers. r may be y. The others as for the line kernel. */
TARN_API void tarn_conv2d_v8_f32(const tarn_conv2d_v8_f32_params *p, const float *x, const float *w, const float *b,
                                 const float *r, float *y, const float **lines);

TARN_END_C
#endif
