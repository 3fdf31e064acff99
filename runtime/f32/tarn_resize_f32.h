/* SPDX-License-Identifier: MIT-0
 * Resized images or volumes, channels last; tables give what every output position takes from. */
#ifndef TARN_RESIZE_F32_H
#define TARN_RESIZE_F32_H

#include "tarn_resize_line_f32.h"

TARN_BEGIN_C

typedef struct {
    tarn_resize_line_f32_params line;
    int32_t images, in_planes, in_lines, out_planes, out_lines, out_pixels;
    int32_t x_line, y_line;   /* elements from one line to the next */
} tarn_resize_f32_params;

/* starts and weights: for all output planes, then lines, then pixels; see tarn_resize_line_f32. The output is made upwards.
 * rows: room for planes * lines pointers. */
TARN_API void tarn_resize_f32(const tarn_resize_f32_params *p, const tarn_f32 *x, const int32_t *starts, const float *weights,
                              tarn_f32 *y, const tarn_f32 **rows);

TARN_END_C
#endif
