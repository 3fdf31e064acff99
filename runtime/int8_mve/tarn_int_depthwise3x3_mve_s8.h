/* SPDX-License-Identifier: MIT-0
 * tarn_int_depthwise2d_mve_s8 for 3 x 3 kernels without dilation, whose stride along a line is 1 or 2. */
#ifndef TARN_INT_DEPTHWISE3X3_MVE_S8_H
#define TARN_INT_DEPTHWISE3X3_MVE_S8_H

#include "tarn_int_depthwise3x3_mve_line_s8.h"

TARN_BEGIN_C

/* w: [channels][4 columns][4]: nothing, then three columns of three lines and a zero; 4 zeros more; q: {begin, m, c} by channel;
 * exceptions: see tarn_requant.h; scratch: 16 words for each of 2 + stride * piece columns, where piece is rounded up to a multiple
 * of 4; lines: room for 3 pointers. */
TARN_API void tarn_int_depthwise3x3_mve_s8(const tarn_int_depthwise3x3_mve_s8_params *p, const int8_t *x, const int8_t *w,
                                           const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t *scratch,
                                           const int8_t **lines);

TARN_END_C
#endif
