/* SPDX-License-Identifier: MIT-0
 * Images or volumes resized to the nearest pixel, channels last; tables tell which. */
#ifndef TARN_RESIZE_NEAREST_B4_H
#define TARN_RESIZE_NEAREST_B4_H

#include "tarn_bytes_b4.h"
#include "tarn_resize_nearest.h"

TARN_BEGIN_C

/* One line: pixel i of y is pixel from[i] of x, or `value` where from[i] or x is not there. */
TARN_API void tarn_resize_nearest_b4_line(const tarn_resize_nearest_params *p, const void *x, const int32_t *from,
                                          const void *value, void *y, int32_t first, int32_t end);
/* table: for all output planes, then lines, then pixels, the position in x, or -1. value: of pixels outside, one element;
 * NULL: zero. The output is made upwards. */
TARN_API void tarn_resize_nearest_b4(const tarn_resize_nearest_params *p, const void *x, const int32_t *table, const void *value,
                                     void *y);

TARN_END_C
#endif
