/* SPDX-License-Identifier: MIT-0
 * Resized images or volumes of codes of 16 bits, channels last; tables give what every output position takes from. */
#ifndef TARN_INT_RESIZE_S16_H
#define TARN_INT_RESIZE_S16_H

#include "tarn_int_resize_line_s16.h"

TARN_BEGIN_C

typedef struct {
    tarn_int_resize_line_s16_params line;
    int32_t images, in_planes, in_lines, out_planes, out_lines, out_pixels;
    int32_t x_line, y_line;   /* elements from one line to the next */
} tarn_int_resize_s16_params;

/* starts and weights: for all output planes, then lines, then pixels; see tarn_int_resize_line_s16. The output is made upwards.
 * rows: room for planes * lines pointers. */
TARN_API void tarn_int_resize_s16(const tarn_int_resize_s16_params *p, const tarn_int_code_s16 *x, const int32_t *starts,
                                 const float *weights, tarn_int_code_s16 *y, const tarn_int_code_s16 **rows);

TARN_END_C
#endif
