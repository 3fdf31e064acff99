/* SPDX-License-Identifier: MIT-0
 * One line of a resized image or volume of int8 codes, channels last, with weights from tables, in integers. */
#ifndef TARN_INT_RESIZE_LINE_S8_H
#define TARN_INT_RESIZE_LINE_S8_H

#include "tarn_int_code_s8.h"

TARN_BEGIN_C

typedef int32_t tarn_int_resize_weight_s8;

typedef struct {
    int32_t planes, lines, taps;   /* positions that an output position takes from, along each axis */
    int32_t channels;
    int32_t x_pitch, y_pitch;      /* elements from one pixel to the next */
    int32_t outside;               /* the code of pixels that take from nowhere */
    int32_t x_zero, zero;          /* of the codes of x, and of those of y */
    int32_t factor, half, post;    /* code = zero + hi32(sum * factor) / 2^post, to nearest, halves to even; half: 2^(post - 1) */
} tarn_int_resize_line_s8_params;

/* Pixels [first, end) of y. rows: planes * lines lines of x, whose weights are the products of plane_weights and
 * line_weights; NULL for rows: the whole line lies outside. starts: by output pixel, the first input pixel, -1: outside;
 * weights: by output pixel, `taps` of them. Weights have 26 fractional bits, of pixels 27, or fewer
 * so that sums of their products with codes stay below 2^31. What has weight 0 is not read. */
TARN_API void tarn_int_resize_line_s8(const tarn_int_resize_line_s8_params *p, const int8_t *const *rows,
                                      const int32_t *plane_weights, const int32_t *line_weights, const int32_t *starts,
                                      const int32_t *weights, int8_t *y, int32_t first, int32_t end);

TARN_END_C
#endif
