/* SPDX-License-Identifier: MIT-0
 * What the kernels that resize to the nearest pixel have in common. */
#ifndef TARN_RESIZE_NEAREST_H
#define TARN_RESIZE_NEAREST_H

#include "tarn.h"

typedef struct {
    int32_t images, in_planes, in_lines, out_planes, out_lines, out_pixels;
    int32_t channels;
    int32_t x_pitch, y_pitch, x_line, y_line; /* elements from one pixel, or line, to the next */
} tarn_resize_nearest_params;

#endif
