/* SPDX-License-Identifier: MIT-0
 * Depthwise convolution of 16-bit codes, channels last, whole images. */
#ifndef TARN_WIDE_DEPTHWISE2D_S16_H
#define TARN_WIDE_DEPTHWISE2D_S16_H

#include "tarn_wide_depthwise_line_s16.h"

TARN_BEGIN_C

/* w: [ceil(channels/4)][rows * taps][4], zero beyond the last channel; q: four numbers of tarn_wide.h for each channel; taps: room
 * for rows * (taps + 1) pointers; zeros: room for `channels` elements. A pixel's inputs are read for the last time before the next is
 * written. */
TARN_API void tarn_wide_depthwise2d_s16(const tarn_wide_depthwise2d_s16_params *p, const int16_t *x, const int8_t *w,
                                        const int32_t *q, int16_t *y, const int16_t **taps, int16_t *zeros);

TARN_END_C
#endif
