/* SPDX-License-Identifier: MIT-0
 * Convolutions for processors with pairs of 16-bit products, where three widened patches were too much scratch: one pixel and
 * four outputs at a time. One group, weights without zero points. */
#ifndef TARN_INT_CONV2D_DSP_LONG_S8_H
#define TARN_INT_CONV2D_DSP_LONG_S8_H

#include "tarn_int_conv2d_dsp_long_line_s8.h"

TARN_BEGIN_C

/* w as for tarn_int_dense_dsp_s8; x, q and exceptions as for tarn_int_conv2d_s8. patch: p->length elements; lines: one per row of
 * the kernel. */
TARN_API void tarn_int_conv2d_dsp_long_s8(const tarn_int_conv2d_dsp_long_s8_params *p, const int8_t *x, const int32_t *w,
                                          const int32_t *q, const int32_t *exceptions, int8_t *y, int8_t *patch,
                                          const int8_t **lines);

TARN_END_C
#endif
