/* SPDX-License-Identifier: MIT-0
 * int8 convolution with requantisation, channels last, whole images. */
#ifndef TARN_INT_CONV2D_S8_H
#define TARN_INT_CONV2D_S8_H

#include "tarn_int_conv2d_line_s8.h"

TARN_BEGIN_C

/* w: [groups][ceil(outputs/4)] blocks of tarn_int_dots.h, zero beyond the last; q: {begin, m, c} times four outputs, likewise;
 * exceptions: see tarn_requant.h. w_zero: NULL, or [groups * ceil(outputs/4) * 4] zero points of the weights, which then are
 * unsigned bytes, and q begins as for unsigned inputs, 128 higher than x. Each pixel's inputs are read before it is written,
 * with groups == 1. scratch: `length` elements; lines: room for `rows` pointers. */
TARN_API void tarn_int_conv2d_s8(const tarn_int_conv2d_s8_params *p, const int8_t *x, const int8_t *w, const int32_t *q,
                                 const int32_t *w_zero, const int32_t *exceptions, int8_t *y, int8_t *scratch,
                                 const int8_t **lines);

TARN_END_C
#endif
