/* SPDX-License-Identifier: MIT-0
 * tarn_int_depthwise2d_s8 for fewer than four channels, each by itself; weights without zero points. */
#ifndef TARN_INT_DEPTHWISE2D_FEW_S8_H
#define TARN_INT_DEPTHWISE2D_FEW_S8_H

#include "tarn_int_depthwise_few_line_s8.h"

TARN_BEGIN_C

/* w: [channels][rows * taps, rounded up to a multiple of 3], zeros behind the last; q: {begin, m, c} for each channel; taps: room for as
 * many pointers as a channel has weights, and `rows` more; zeros: room for a pixel. */
TARN_API void tarn_int_depthwise2d_few_s8(const tarn_int_depthwise2d_few_s8_params *p, const int8_t *x, const int8_t *w,
                                          const int32_t *q, const int32_t *exceptions, int8_t *y, const int8_t **taps,
                                          int8_t *zeros);

TARN_END_C
#endif
