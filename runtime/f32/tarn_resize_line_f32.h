/* SPDX-License-Identifier: MIT-0
 * One line of a resized image or volume, channels last, with weights from tables. */
#ifndef TARN_RESIZE_LINE_F32_H
#define TARN_RESIZE_LINE_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t planes, lines, taps;   /* positions that an output position takes from, along each axis */
    int32_t channels;
    int32_t x_pitch, y_pitch;      /* elements from one pixel to the next */
    float outside;                 /* the value of pixels that take from nowhere */
} tarn_resize_line_f32_params;

/* Pixels [first, end) of y. rows: planes * lines lines of x, whose weights are the products of plane_weights and
 * line_weights; NULL for rows: the whole line lies outside. starts: by output pixel, the first input pixel, -1: outside;
 * weights: by output pixel, `taps` of them. What has weight 0 is not read. */
TARN_API void tarn_resize_line_f32(const tarn_resize_line_f32_params *p, const tarn_f32 *const *rows, const float *plane_weights,
                                   const float *line_weights, const int32_t *starts, const float *weights, tarn_f32 *y,
                                   int32_t first, int32_t end);

TARN_END_C
#endif
