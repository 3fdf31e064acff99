/* SPDX-License-Identifier: MIT-0
 * One line of a convolution over coded weights (w8): see tarn_conv_line_coded_f32.h. */
#ifndef TARN_CONV_LINE_W8_F32_H
#define TARN_CONV_LINE_W8_F32_H

#include "tarn_conv_line_coded_f32.h"

TARN_BEGIN_C

/* As tarn_conv_line_f32, with w: [groups][ceil(outputs/4)] times four rows of codes; scale and zero likewise. */
TARN_API void tarn_conv_line_w8_f32(const tarn_conv_line_coded_f32_params *p, const tarn_f32 *const *rows, const uint8_t *w,
                                    const uint16_t *scale, const int8_t *zero, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y,
                                    int32_t first, int32_t end, int32_t block);

TARN_END_C
#endif
