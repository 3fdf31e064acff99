/* SPDX-License-Identifier: MIT-0
 * tarn_int_depthwise2d_s8 for processors with pairs of 16-bit products: four channels or more, weights without zero points. */
#ifndef TARN_INT_DEPTHWISE2D_DSP_S8_H
#define TARN_INT_DEPTHWISE2D_DSP_S8_H

#include "tarn_int_depthwise_dsp_line_s8.h"

TARN_BEGIN_C

/* w: [ceil(channels/4)][rows * taps, rounded up to a multiple of 3][4], in words; fewer than four channels take the last places of w and q,
 * with zeros before them; taps: room for as many pointers, and `rows` more; the others as for tarn_int_depthwise2d_s8. */
TARN_API void tarn_int_depthwise2d_dsp_s8(const tarn_int_depthwise2d_dsp_s8_params *p, const int8_t *x, const int32_t *w,
                                          const int32_t *q, const int32_t *exceptions, int8_t *y, const int8_t **taps,
                                          int8_t *zeros);

TARN_END_C
#endif
