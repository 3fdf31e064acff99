/* SPDX-License-Identifier: MIT-0
 * tarn_int_dsp_block() over weights two to a half of a word: those of two outputs for one element, 256 * b + a. Sums of halves are
 * 256 * sum(b) + sum(a), those of the low bytes sum(a): half as many weights are taken out of their words. */
#ifndef TARN_INT_DSP_HALVES_BLOCK_H
#define TARN_INT_DSP_HALVES_BLOCK_H

#include "tarn_int_dsp_patches.h"

TARN_BEGIN_C

#define TARN_INT_DSP_HALVES_ASM TARN_INT_DSP_ASM

typedef tarn_int_dsp_block_state tarn_int_dsp_halves_block_state;

/* Bytes of the weights of an even number of outputs, n elements each. */
#define TARN_INT_DSP_HALVES_BYTES(even, n) ((ptrdiff_t)(even) * (n))

/* As tarn_int_dsp_block(); w: [outputs/2][k/4][4] halves for k = 0, 2, 1, 3, where 256 * b + a fits into them. Without its begin the
 * sum of every second output is from -2^23 to 2^23 - 1: what overflows on the way there does no harm. */
TARN_API void tarn_int_dsp_halves_block(const tarn_int_dsp_halves_block_state *s, const int8_t *w);

TARN_INLINE int16_t *tarn_int_dsp_halves_widen(int16_t *d, const int8_t *x, int32_t n) { return tarn_int_dsp_widen(d, x, n); }

TARN_END_C
#endif
