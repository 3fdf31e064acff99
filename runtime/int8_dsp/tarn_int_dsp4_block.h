/* SPDX-License-Identifier: MIT-0
 * tarn_int_dsp_block() over weights of 4 bits. A byte holds those of two outputs for one element k: 16 * b + (a + 8), a and b from
 * -8 to 7. Sums of whole bytes are 16 * sum(b) + sum(a + 8), those of the low bits sum(a + 8): no weight is taken out of its byte,
 * and 8 times the sum of the patch is taken off once. */
#ifndef TARN_INT_DSP4_BLOCK_H
#define TARN_INT_DSP4_BLOCK_H

#include "tarn_int_dsp_patches.h"

TARN_BEGIN_C

#define TARN_INT_DSP4_ASM TARN_INT_DSP_ASM

typedef tarn_int_dsp_block_state tarn_int_dsp4_block_state;

/* Bytes of the weights of an even number of outputs, n elements each. */
#define TARN_INT_DSP4_BYTES(even, n) ((ptrdiff_t)((even) / 2) * (n))

/* As tarn_int_dsp_block(); w: [outputs/2][k/4] words, k upwards from the lowest byte. k is at most 65536. */
TARN_API void tarn_int_dsp4_block(const tarn_int_dsp4_block_state *s, const int8_t *w);

TARN_INLINE int16_t *tarn_int_dsp4_widen(int16_t *d, const int8_t *x, int32_t n) { return tarn_int_dsp_widen(d, x, n); }

TARN_END_C
#endif
