/* SPDX-License-Identifier: MIT-0
 * tarn_int_depthwise2d_s8 for processors with sixteen products of codes at a time. */
#ifndef TARN_INT_DEPTHWISE2D_MVE_S8_H
#define TARN_INT_DEPTHWISE2D_MVE_S8_H

#include "tarn_int_depthwise_mve_line_s8.h"

TARN_BEGIN_C

/* w and q as for tarn_int_mve_channels(); exceptions: see tarn_requant.h; lines: room for a pointer per weight of a channel, and
 * `rows` more; zeros: room for all channels of a pixel. A pixel's inputs are read until its last channel is written. */
TARN_API void tarn_int_depthwise2d_mve_s8(const tarn_int_depthwise2d_mve_s8_params *p, const int8_t *x, const int8_t *w,
                                          const int32_t *q, const int32_t *exceptions, int8_t *y, const int8_t **lines,
                                          int8_t *zeros);

TARN_END_C
#endif
