/* SPDX-License-Identifier: MIT-0
 * tarn_int_depthwise2d_dsp_s8 for 3 x 3 kernels without dilation. */
#ifndef TARN_INT_DEPTHWISE3X3_DSP_S8_H
#define TARN_INT_DEPTHWISE3X3_DSP_S8_H

#include "tarn_int_depthwise3x3_dsp_line_s8.h"

TARN_BEGIN_C

/* w: [channels][3 columns] words of the weights of lines 0, 1, 2 and a zero; q and exceptions as for tarn_int_depthwise2d_s8; scratch:
 * 8 * columns words; lines: room for 3 pointers. The lines under a line of output are read until its last element is written. */
TARN_API void tarn_int_depthwise3x3_dsp_s8(const tarn_int_depthwise3x3_dsp_s8_params *p, const int8_t *x, const int32_t *w,
                                           const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t *scratch,
                                           const int8_t **lines);

TARN_END_C
#endif
