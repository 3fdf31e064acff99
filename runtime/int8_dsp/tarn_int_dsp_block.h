/* SPDX-License-Identifier: MIT-0
 * Three pixels times two outputs at a time; see tarn_int_dsp.h. */
#ifndef TARN_INT_DSP_BLOCK_H
#define TARN_INT_DSP_BLOCK_H

#include "tarn_int_dsp_patches.h"

TARN_BEGIN_C

/* Bytes of the weights of an even number of outputs, n elements each. */
#define TARN_INT_DSP_BYTES(even, n) ((ptrdiff_t)(even) * (n))

/* Writes s->y up to s->y_end, an even number of outputs. w: [outputs/2][k/4][2 outputs][4], aligned to 4. Codes are clamped to
 * what int8 holds. */
TARN_API void tarn_int_dsp_block(const tarn_int_dsp_block_state *s, const int8_t *w);

TARN_END_C
#endif
