/* SPDX-License-Identifier: MIT-0
 * One pixel times four outputs at a time; see tarn_int_dsp.h. */
#ifndef TARN_INT_DSP_DENSE_H
#define TARN_INT_DSP_DENSE_H

#include "tarn_int_dsp.h"

TARN_BEGIN_C

/* Four sums of one pixel: x to end: codes, a multiple of 4; w: [k/4][4 outputs][4]; sums are added to. w is aligned to 4. */
TARN_API void tarn_int_dsp_dense(const int8_t *w, const int8_t *x, const int8_t *end, int32_t *sums);

TARN_END_C
#endif
