/* SPDX-License-Identifier: MIT-0
 * One line of a convolution, several pixels by vectors of outputs at a time (tarn_tile_v8_f32.h). */
#ifndef TARN_CONV_LINE_V8_F32_H
#define TARN_CONV_LINE_V8_F32_H

#include "tarn_lanes.h"

TARN_BEGIN_C

typedef struct {
    int32_t rows;                       /* input lines under the kernel: its height */
    int32_t taps, dilation;             /* columns of the kernel, and pixels from one to the next */
    int32_t stride, pad;                /* along the line; pad: columns before the first pixel */
    int32_t in_pixels;                  /* length of an input line */
    int32_t groups, inputs, outputs;    /* channels per group */
    int32_t x_pitch, y_pitch, r_pitch;  /* elements from one pixel to the next */
    float lo, hi;
} tarn_conv_line_v8_f32_params;

/* Writes the pixels [first, end) of one line. rows[i]: first pixel of the input line under kernel line i, NULL where it is
 * padding. w: [groups][ceil(outputs/8)][rows][taps][inputs][8], zero beyond outputs; b: [groups][ceil(outputs/8)][8] or
 * NULL; r: a line to add, or NULL; y: first pixel of the output line. Without `block` each pixel's inputs are read for the
 * last time before the next pixel is written. */
TARN_API void tarn_conv_line_v8_f32(const tarn_conv_line_v8_f32_params *p, const float *const *rows, const float *w,
                                    const float *b, const float *r, float *y, int32_t first, int32_t end, int32_t block);

/* The same for the outputs of one group from o on: two vectors, or the one that is left. w, b, r and y stand at those
 * outputs, rows at the group's first input. */
TARN_API void tarn_conv_line_v8_f32_part(const tarn_conv_line_v8_f32_params *p, const float *const *rows, int32_t x_offset,
                                         const float *w, const float *b, const float *r, float *y, int32_t first,
                                         int32_t end, int32_t o);

/* Are the values under the kernel so few, and the outputs so many, that tarn_conv_line_v8_f32() had better be called for whole lines? */
TARN_API int32_t tarn_conv_line_v8_f32_few(const tarn_conv_line_v8_f32_params *p);

TARN_END_C
#endif
