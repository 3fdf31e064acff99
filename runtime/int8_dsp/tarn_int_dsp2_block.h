/* SPDX-License-Identifier: MIT-0
 * tarn_int_dsp_block() over weights of 2 bits, as codes that are 2 higher: 4 * b + a of two outputs. The low bits of a byte hold those
 * of one element k, its high bits those of k + 4. Sums of both are 4 * sum(b) + sum(a); twice the sum of the patch is taken off each. */
#ifndef TARN_INT_DSP2_BLOCK_H
#define TARN_INT_DSP2_BLOCK_H

#include "tarn_int_dsp_patches.h"

TARN_BEGIN_C

#define TARN_INT_DSP2_ASM TARN_INT_DSP_ASM

typedef tarn_int_dsp_block_state tarn_int_dsp2_block_state;

/* Bytes of the weights of an even number of outputs, n elements each. */
#define TARN_INT_DSP2_BYTES(even, n) ((ptrdiff_t)((even) / 2) * ((n) / 2))

/* As tarn_int_dsp_block(); w: [outputs/2][k/8] words, k upwards from the lowest byte. k is at most 65536. */
TARN_API void tarn_int_dsp2_block(const tarn_int_dsp2_block_state *s, const int8_t *w);

TARN_INLINE int16_t *tarn_int_dsp2_widen(int16_t *d, const int8_t *x, int32_t n) { return tarn_int_dsp_widen(d, x, n); }

TARN_END_C
#endif
