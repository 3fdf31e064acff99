/* SPDX-License-Identifier: MIT-0
 * Four channels of one pixel, each by itself; see tarn_int_dsp.h. */
#ifndef TARN_INT_DSP_DEPTHWISE_H
#define TARN_INT_DSP_DEPTHWISE_H

#include "tarn_int_dsp.h"

TARN_BEGIN_C

/* Four channels of one pixel: taps to end point at their codes, `channel` further on; a multiple of 3; w: [taps][4]. */
TARN_API void tarn_int_dsp_depthwise(const int8_t *w, const int8_t *const *taps, const int8_t *const *end,
                                     int32_t channel, int32_t *sums);

TARN_END_C
#endif
