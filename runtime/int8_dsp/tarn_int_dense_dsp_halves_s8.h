/* SPDX-License-Identifier: MIT-0
 * tarn_int_dense_s8 for processors with pairs of 16-bit products, the weights of two outputs in each half of a word; inputs in fours. */
#ifndef TARN_INT_DENSE_DSP_HALVES_S8_H
#define TARN_INT_DENSE_DSP_HALVES_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t inputs, outputs;
} tarn_int_dense_dsp_halves_s8_params;

/* w: [outputs/4][inputs/4][4] words, see tarn_int_dsp_halves.h; q and exceptions as for tarn_int_dense_s8. */
TARN_API void tarn_int_dense_dsp_halves_s8(const tarn_int_dense_dsp_halves_s8_params *p, const int8_t *x, const int32_t *w,
                                           const int32_t *q, const int32_t *exceptions, int8_t *y);

TARN_END_C
#endif
