/* SPDX-License-Identifier: MIT-0
 * The sum of codes, where weights are stored higher than they are. */
#ifndef TARN_INT_DSP_SUM_H
#define TARN_INT_DSP_SUM_H

#include "tarn_int_dsp.h"

TARN_BEGIN_C

/* x to end: codes, a multiple of 4, aligned as the machine likes words. */
TARN_API int32_t tarn_int_dsp_sum(const int8_t *x, const int8_t *end);

TARN_END_C
#endif
