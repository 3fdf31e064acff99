/* SPDX-License-Identifier: MIT-0
 * Convolution of 16-bit codes by 8-bit weights, channels last, whole images. */
#ifndef TARN_WIDE_CONV2D_S16_H
#define TARN_WIDE_CONV2D_S16_H

#include "tarn_wide_conv2d_line_s16.h"

TARN_BEGIN_C

/* w: [groups][ceil(outputs/4)] blocks of tarn_wide_dots.h, zero beyond the last; q: four numbers of tarn_wide.h for each channel.
 * Each pixel's inputs are read before it is written, with groups == 1. patch: room for length elements of 16 bits; lines: room for `rows`
 * pointers. */
TARN_API void tarn_wide_conv2d_s16(const tarn_wide_conv2d_s16_params *p, const int16_t *x, const int32_t *w, const int32_t *q,
                                   int16_t *y, int32_t *patch, const int16_t **lines);

TARN_END_C
#endif
