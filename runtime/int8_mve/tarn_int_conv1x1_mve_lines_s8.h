/* SPDX-License-Identifier: MIT-0
 * Several lines of tarn_int_conv1x1_mve_line_s8 at once: three pixels that meet weights together may be of several lines. */
#ifndef TARN_INT_CONV1X1_MVE_LINES_S8_H
#define TARN_INT_CONV1X1_MVE_LINES_S8_H

#include "tarn_int_conv1x1_mve_line_s8.h"

TARN_BEGIN_C

/* x, y: the first pixels of `count` lines, none of which shares bytes with another. */
TARN_API void tarn_int_conv1x1_mve_lines_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, const int8_t *w,
                                            const int32_t *q, const int32_t *exceptions, int8_t *const *y, int32_t count);

TARN_END_C
#endif
