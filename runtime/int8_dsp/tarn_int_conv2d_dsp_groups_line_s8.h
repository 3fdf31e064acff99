/* SPDX-License-Identifier: MIT-0
 * Lines of tarn_int_conv2d_dsp_groups_s8. */
#ifndef TARN_INT_CONV2D_DSP_GROUPS_LINE_S8_H
#define TARN_INT_CONV2D_DSP_GROUPS_LINE_S8_H

#include "tarn_int_conv2d_dsp_run_s8.h"

TARN_BEGIN_C

/* Writes the pixels [first, end) of a line, group by group: all inputs of the first are read before anything is written, those of the
 * last after the others' outputs. x: the first pixels of the lines under the kernel, NULL outside the image; y: the first pixel of
 * the line; under: room for `rows` pointers; the others as for tarn_int_conv2d_dsp_groups_s8. */
TARN_API void tarn_int_conv2d_dsp_groups_line_s8(const tarn_int_conv2d_dsp_s8_params *p, const int8_t *const *x, const int32_t *w,
                                                 const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first,
                                                 int32_t end, int32_t *scratch, int8_t *bytes, const int8_t **under);

TARN_END_C
#endif
