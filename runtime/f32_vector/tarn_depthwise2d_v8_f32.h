/* SPDX-License-Identifier: MIT-0
 * Depthwise convolution of whole images, channels last, over vectors of channels. */
#ifndef TARN_DEPTHWISE2D_V8_F32_H
#define TARN_DEPTHWISE2D_V8_F32_H

#include "tarn_depthwise_line_v8_f32.h"

TARN_BEGIN_C

typedef struct {
    tarn_depthwise_line_v8_f32_params line;
    int32_t images, in_lines, out_lines, out_pixels;
    int32_t stride, pad, dilation;              /* across lines */
    int32_t x_line, y_line, r_line;             /* elements from one line to the next */
} tarn_depthwise2d_v8_f32_params;

/* lines: room for line.rows pointers. r may be y, which lies apart from x. The others as for the line kernel. */
TARN_API void tarn_depthwise2d_v8_f32(const tarn_depthwise2d_v8_f32_params *p, const float *x, const float *w,
                                      const float *b, const float *r, float *y, const float **lines);

TARN_END_C
#endif
