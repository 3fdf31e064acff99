/* SPDX-License-Identifier: MIT-0
 * tarn_int_conv2d_s8 for processors with pairs of 16-bit products. One group. */
#ifndef TARN_INT_CONV2D_DSP_S8_H
#define TARN_INT_CONV2D_DSP_S8_H

#include "tarn_int_conv2d_dsp_run_s8.h"

TARN_BEGIN_C

/* w in words, zero beyond outputs and length: [ceil(outputs/2)][length/4][2 outputs][4], and q has {begin, m, c} times two
 * outputs, in no zone for one that is not there. exceptions: see tarn_requant.h. scratch: 3 * length 16-bit elements; bytes: length
 * codes, NULL when `inputs` is a multiple of 4. lines: room for `rows` pointers. Each pixel's inputs are read before it is written. */
TARN_API void tarn_int_conv2d_dsp_s8(const tarn_int_conv2d_dsp_s8_params *p, const int8_t *x, const int32_t *w,
                                     const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t *scratch,
                                     int8_t *bytes, const int8_t **lines);

TARN_END_C
#endif
