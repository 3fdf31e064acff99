/* SPDX-License-Identifier: MIT-0
 * tarn_int_conv2d_s8 with four patches at a time. One group, weights without zero points. */
#ifndef TARN_INT_CONV2D_FOUR_S8_H
#define TARN_INT_CONV2D_FOUR_S8_H

#include "tarn_int_conv2d_four_line_s8.h"

TARN_BEGIN_C

/* As tarn_int_conv2d_s8, with a scratch of 4 * length elements. */
TARN_API void tarn_int_conv2d_four_s8(const tarn_int_conv2d_s8_params *p, const int8_t *x, const int8_t *w, const int32_t *q,
                                      const int32_t *exceptions, int8_t *y, int8_t *scratch, const int8_t **lines);

TARN_END_C
#endif
