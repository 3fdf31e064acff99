/* SPDX-License-Identifier: MIT-0
 * One line of a depthwise convolution over coded weights (w8): see tarn_depthwise_line_coded_f32.h. */
#ifndef TARN_DEPTHWISE_LINE_W8_F32_H
#define TARN_DEPTHWISE_LINE_W8_F32_H

#include "tarn_depthwise_line_coded_f32.h"

TARN_BEGIN_C

/* As tarn_depthwise_line_f32, with w: [ceil(groups/4)] times four rows of codes; scale and zero likewise. */
TARN_API void tarn_depthwise_line_w8_f32(const tarn_conv_line_coded_f32_params *p, const tarn_f32 *const *rows, const uint8_t *w,
                                         const uint16_t *scale, const int8_t *zero, const tarn_f32 *b, const tarn_f32 *r,
                                         tarn_f32 *y, int32_t first, int32_t end, int32_t block);

TARN_END_C
#endif
