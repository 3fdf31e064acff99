/* SPDX-License-Identifier: MIT-0
 * One line of a resized image or volume of codes of 16 bits, channels last, with weights from tables: numbers of codes are weighted, added up
 * and quantised one element at a time, just as tarn_resize_line_f32 has them. */
#ifndef TARN_INT_RESIZE_LINE_S16_H
#define TARN_INT_RESIZE_LINE_S16_H

#include "tarn_int_code_s16.h"

TARN_BEGIN_C

typedef float tarn_int_resize_weight_s16;

typedef struct {
    int32_t planes, lines, taps;   /* positions that an output position takes from, along each axis */
    int32_t channels;
    int32_t x_pitch, y_pitch;      /* elements from one pixel to the next */
    float outside;                 /* the value of pixels that take from nowhere */
    float x_scale, scale;          /* of the codes of x, and of those of y */
    int32_t x_zero, zero, lo, hi;
} tarn_int_resize_line_s16_params;

/* Pixels [first, end) of y. rows: planes * lines lines of x, whose weights are the products of plane_weights and
 * line_weights; NULL for rows: the whole line lies outside. starts: by output pixel, the first input pixel, -1: outside;
 * weights: by output pixel, `taps` of them. What has weight 0 is not read. */
TARN_API void tarn_int_resize_line_s16(const tarn_int_resize_line_s16_params *p, const tarn_int_code_s16 *const *rows,
                                      const float *plane_weights, const float *line_weights, const int32_t *starts,
                                      const float *weights, tarn_int_code_s16 *y, int32_t first, int32_t end);

TARN_END_C
#endif
