/* SPDX-License-Identifier: MIT-0
 * One line of a depthwise convolution over vectors of channels. */
#ifndef TARN_DEPTHWISE_LINE_V8_F32_H
#define TARN_DEPTHWISE_LINE_V8_F32_H

#include "tarn_lanes.h"

TARN_BEGIN_C

typedef struct {
    int32_t rows;                       /* input lines under the kernel */
    int32_t taps, dilation;             /* columns of the kernel, and pixels from one to the next */
    int32_t stride, pad;                /* along the line */
    int32_t in_pixels;                  /* length of an input line */
    int32_t channels;
    int32_t x_pitch, y_pitch, r_pitch;  /* elements from one pixel to the next */
    float lo, hi;
} tarn_depthwise_line_v8_f32_params;

/* As tarn_conv_line_v8_f32, with w: [ceil(channels/8)][rows][taps][8] and b: [ceil(channels/8)][8], zero beyond channels. */
TARN_API void tarn_depthwise_line_v8_f32(const tarn_depthwise_line_v8_f32_params *p, const float *const *rows, const float *w,
                                         const float *b, const float *r, float *y, int32_t first, int32_t end,
                                         int32_t block);

TARN_END_C
#endif
