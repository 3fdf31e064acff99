/* SPDX-License-Identifier: MIT-0
 * int8 depthwise convolution with requantisation, channels last, whole images. */
#ifndef TARN_INT_DEPTHWISE2D_S8_H
#define TARN_INT_DEPTHWISE2D_S8_H

#include "tarn_int_depthwise_line_s8.h"

TARN_BEGIN_C

/* w: [ceil(channels/4)][rows * taps][4]; q and w_zero per four channels as for tarn_int_conv2d_s8; taps: room for rows *
 * (taps + 1) pointers; zeros: room for `channels` elements. A pixel's inputs are read for the last time before the next is written. */
TARN_API void tarn_int_depthwise2d_s8(const tarn_int_depthwise2d_s8_params *p, const int8_t *x, const int8_t *w,
                                      const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                      const int8_t **taps, int8_t *zeros);

TARN_END_C
#endif
