/* SPDX-License-Identifier: MIT-0
 * Convolution of whole images over coded weights (w8), channels last. */
#ifndef TARN_CONV2D_W8_F32_H
#define TARN_CONV2D_W8_F32_H

#include "tarn_conv_line_w8_f32.h"

TARN_BEGIN_C

/* lines: room for line.rows pointers. The others as for the line kernel. */
TARN_API void tarn_conv2d_w8_f32(const tarn_images_coded_f32_params *p, const tarn_f32 *x, const uint8_t *w, const uint16_t *scale,
                                 const int8_t *zero, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y, const tarn_f32 **lines);

TARN_END_C
#endif
