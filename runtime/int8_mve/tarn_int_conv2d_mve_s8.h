/* SPDX-License-Identifier: MIT-0
 * tarn_int_conv2d_s8 for processors with sixteen products of codes at a time. */
#ifndef TARN_INT_CONV2D_MVE_S8_H
#define TARN_INT_CONV2D_MVE_S8_H

#include "tarn_int_conv2d_mve_line_s8.h"

TARN_BEGIN_C

/* w by group, zero beyond outputs and patch, as tarn_int_mve_block() wants it, or, where block is 1, tarn_int_mve_dense(); q
 * as there; w_zero: NULL, or the negative zero points of the weights, four by four; exceptions: see
 * tarn_requant.h, by channel of q. scratch: block * groups * rows * taps * inputs codes; lines: room for `rows` pointers. Each
 * pixel's inputs are read before it is written. */
TARN_API void tarn_int_conv2d_mve_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *x, const int8_t *w,
                                     const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                     int8_t *scratch, const int8_t **lines);

TARN_END_C
#endif
