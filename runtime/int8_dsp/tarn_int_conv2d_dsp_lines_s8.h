/* SPDX-License-Identifier: MIT-0
 * Several lines of tarn_int_conv2d_dsp_line_s8 at once: blocks of patches go on from line to line. */
#ifndef TARN_INT_CONV2D_DSP_LINES_S8_H
#define TARN_INT_CONV2D_DSP_LINES_S8_H

#include "tarn_int_conv2d_dsp_run_s8.h"

TARN_BEGIN_C

/* x: for each of the lines, one behind the other, the first pixels of the lines under the kernel, NULL outside the image; y: the first
 * pixels of the lines, `count` of them, at least one; the others as for tarn_int_conv2d_dsp_line_s8. */
TARN_API void tarn_int_conv2d_dsp_lines_s8(const tarn_int_conv2d_dsp_s8_params *p, const int8_t *const *x, const int32_t *w,
                                           const int32_t *q, const int32_t *exceptions, int8_t *const *y, int32_t count,
                                           int32_t *scratch, int8_t *bytes);

TARN_END_C
#endif
