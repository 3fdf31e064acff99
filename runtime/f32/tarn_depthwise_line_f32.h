/* SPDX-License-Identifier: MIT-0
 * One line of a depthwise convolution: each channel has its own kernel and gives one output channel. */
#ifndef TARN_DEPTHWISE_LINE_F32_H
#define TARN_DEPTHWISE_LINE_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t rows;                       /* input lines under the kernel */
    int32_t taps, dilation;             /* columns of the kernel, and pixels from one to the next */
    int32_t stride, pad;                /* along the line */
    int32_t in_pixels;                  /* length of an input line */
    int32_t channels;
    int32_t x_pitch, y_pitch, r_pitch;  /* elements from one pixel to the next */
    tarn_acc_f32 lo, hi;
} tarn_depthwise_line_f32_params;

/* As tarn_conv_line_f32, with w: [ceil(channels/4)][rows][taps][4] and b: [ceil(channels/4)][4], zero beyond channels. */
TARN_API void tarn_depthwise_line_f32(const tarn_depthwise_line_f32_params *p, const tarn_f32 *const *rows,
                                      const tarn_f32 *w, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y,
                                      int32_t first, int32_t end, int32_t block);

TARN_END_C
#endif
