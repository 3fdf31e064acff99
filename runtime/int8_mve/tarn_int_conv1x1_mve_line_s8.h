/* SPDX-License-Identifier: MIT-0
 * Lines of tarn_int_conv2d_mve_line_s8 whose patches are single pixels: these are read where they lie. */
#ifndef TARN_INT_CONV1X1_MVE_LINE_S8_H
#define TARN_INT_CONV1X1_MVE_LINE_S8_H

#include "tarn_int_conv2d_mve_line_s8.h"

TARN_BEGIN_C

/* For kernels of one tap without padding, one group, a multiple of four outputs, block 3, and weights without zero points. Writes the
 * pixels [first, end) of a line. x: the first pixel of its input alone; y: the first pixel of the line; w, q, exceptions: as for
 * tarn_int_conv2d_mve_s8. apart: 0, the lines share bytes as far as pixels may be written once they were read; the scratch, 3 * inputs
 * codes, is used then. */
TARN_API void tarn_int_conv1x1_mve_line_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, const int8_t *w,
                                           const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first, int32_t end,
                                           int32_t apart, int8_t *scratch);

TARN_END_C
#endif
