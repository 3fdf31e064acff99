/* SPDX-License-Identifier: MIT-0
 * One pixel times four outputs at a time, over weights that stand two in a half of a word: 256 times the second output's and the first
 * one's. No second weight is taken out of its half: the sums of whole halves and of low bytes differ by 256 times the second output's. */
#ifndef TARN_INT_DSP_HALVES_H
#define TARN_INT_DSP_HALVES_H

#include "tarn_int_dsp.h"

TARN_BEGIN_C

/* Four sums of one pixel: x to end: codes, a multiple of 4; w: [k/4][2 pairs of outputs][0, 2, 1, 3 of k] halves; sums are added to.
 * w is aligned to 4. What is added to the second and the fourth sum stays within 2^23. */
TARN_API void tarn_int_dsp_halves(const int8_t *w, const int8_t *x, const int8_t *end, int32_t *sums);

TARN_END_C
#endif
