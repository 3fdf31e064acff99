/* SPDX-License-Identifier: MIT-0
 * Images or volumes made larger by whole factors: every pixel is repeated. Channels last. */
#ifndef TARN_RESIZE_REPEAT_B4_H
#define TARN_RESIZE_REPEAT_B4_H

#include "tarn_bytes_b4.h"

TARN_BEGIN_C

typedef struct {
    int32_t planes, lines, pixels;              /* of x; planes of all images */
    int32_t times_planes, times_lines, times_pixels;
    int32_t channels;
    int32_t x_pitch, y_pitch, x_line, y_line;   /* elements from one pixel, or line, to the next */
} tarn_resize_repeat_b4_params;

/* The output is made upwards. */
TARN_API void tarn_resize_repeat_b4(const tarn_resize_repeat_b4_params *p, const void *x, void *y);

TARN_END_C
#endif
