/* SPDX-License-Identifier: MIT-0
 * Convolutions for processors with pairs of 16-bit products, where three widened patches were too much scratch: parts of them meet
 * some outputs, whose sums wait for the next part. One group, weights without zero points. */
#ifndef TARN_INT_CONV2D_DSP_PARTS_S8_H
#define TARN_INT_CONV2D_DSP_PARTS_S8_H

#include "tarn_int_conv2d_dsp_parts_line_s8.h"

TARN_BEGIN_C

/* Operands as those of tarn_int_conv2d_dsp_s8. scratch: 3 * together sums, 3 * part elements of 16 bits, and 3 codes of
 * every output before the last run of `together`. lines: room for twice `rows` pointers. Each pixel's inputs are read before it is written. */
TARN_API void tarn_int_conv2d_dsp_parts_s8(const tarn_int_conv2d_dsp_parts_s8_params *p, const int8_t *x, const int32_t *w,
                                           const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t *scratch,
                                           const int8_t **lines);

TARN_END_C
#endif
