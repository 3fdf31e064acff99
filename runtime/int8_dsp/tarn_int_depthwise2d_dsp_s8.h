/* SPDX-License-Identifier: MIT-0
 * tarn_int_depthwise2d_s8 by lines of tarn_int_depthwise_dsp_line_s8, which says for which layers. */
#ifndef TARN_INT_DEPTHWISE2D_DSP_S8_H
#define TARN_INT_DEPTHWISE2D_DSP_S8_H

#include "tarn_int_depthwise_dsp_line_s8.h"

TARN_BEGIN_C

/* w, q, zeros: as for tarn_int_depthwise_dsp_line_s8; taps: room for as many pointers as that one has, and `rows` more; the others as for
 * tarn_int_depthwise2d_s8. */
TARN_API void tarn_int_depthwise2d_dsp_s8(const tarn_int_depthwise2d_dsp_s8_params *p, const int8_t *x,
                                          const tarn_int_depthwise_dsp_weight *w, const int32_t *q, const int32_t *exceptions,
                                          int8_t *y, const int8_t **taps, int8_t *zeros);

TARN_END_C
#endif
