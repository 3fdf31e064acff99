/* SPDX-License-Identifier: MIT-0
 * One pixel times four outputs at a time, over weights of 2 bits. A byte holds those of four outputs for one element: 64 * d +
 * 16 * (c + 2) + 4 * (b + 2) + (a + 2). No weight is taken out of its byte: sums of its lowest bits differ by what the next two add. */
#ifndef TARN_INT_DSP2_DENSE_H
#define TARN_INT_DSP2_DENSE_H

#include "tarn_int_dsp.h"

TARN_BEGIN_C

/* Four sums of one pixel, the first three of weights that are 2 higher; x to end: codes, a multiple of 4, at most 65536; w: [k/4][4]
 * bytes; sums are added to. w is aligned to 4. */
TARN_API void tarn_int_dsp2_dense(const int8_t *w, const int8_t *x, const int8_t *end, int32_t *sums);

TARN_END_C
#endif
