/* SPDX-License-Identifier: MIT-0
 * One pixel times four outputs at a time, over weights of 4 bits; see tarn_int_dsp4_block.h. */
#ifndef TARN_INT_DSP4_DENSE_H
#define TARN_INT_DSP4_DENSE_H

#include "tarn_int_dsp.h"

TARN_BEGIN_C

/* Four sums of one pixel, the first and the third of weights that are 8 higher; x to end: codes, a multiple of 4; w:
 * [k/4][2 pairs][4]; sums are added to. w is aligned to 4. */
TARN_API void tarn_int_dsp4_dense(const int8_t *w, const int8_t *x, const int8_t *end, int32_t *sums);

TARN_END_C
#endif
