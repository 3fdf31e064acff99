/* SPDX-License-Identifier: MIT-0
 * Resized images or volumes of codes, channels last; tables give what every output position takes from. */
#ifndef TARN_INT_RESIZE_S8_H
#define TARN_INT_RESIZE_S8_H

#include "tarn_int_resize_line_s8.h"

TARN_BEGIN_C

typedef struct {
    tarn_int_resize_line_s8_params line;
    int32_t images, in_planes, in_lines, out_planes, out_lines, out_pixels;
    int32_t x_line, y_line;   /* elements from one line to the next */
} tarn_int_resize_s8_params;

/* starts and weights: for all output planes, then lines, then pixels; see tarn_int_resize_line_s8. The output is made upwards.
 * rows: room for planes * lines pointers. */
TARN_API void tarn_int_resize_s8(const tarn_int_resize_s8_params *p, const tarn_int_code_s8 *x, const int32_t *starts,
                                 const tarn_int_resize_weight_s8 *weights, tarn_int_code_s8 *y, const tarn_int_code_s8 **rows);

TARN_END_C
#endif
