/* SPDX-License-Identifier: MIT-0
 * int8 convolution of one group with requantisation, channels last, and weights of which most are zero, which are skipped. */
#ifndef TARN_INT_CONV2D_SPARSE_S8_H
#define TARN_INT_CONV2D_SPARSE_S8_H

#include "tarn_int_conv2d_patch_s8.h"

TARN_BEGIN_C

/* w, gaps: tarn_int_sparse.h over [rows][taps][inputs]; q: {begin, m, c} times four outputs; exceptions: see tarn_requant.h. Each
 * pixel's inputs are read before it is written. scratch: `length` elements; lines: room for `rows` pointers. */
TARN_API void tarn_int_conv2d_sparse_s8(const tarn_int_conv2d_s8_params *p, const int8_t *x, const int8_t *w, const uint8_t *gaps,
                                        const int32_t *q, const int32_t *exceptions, int8_t *y, int8_t *scratch,
                                        const int8_t **lines);

TARN_END_C
#endif
