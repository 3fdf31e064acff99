/* SPDX-License-Identifier: MIT-0
 * Patches of up to three pixels, which blocks of any weights read: how their codes are widened, and what becomes of sums near ties. */
#ifndef TARN_INT_DSP_PATCHES_H
#define TARN_INT_DSP_PATCHES_H

#include "tarn_int_dsp.h"

TARN_BEGIN_C

/* All outputs of up to three pixels. */
typedef struct {
    const int16_t *x, *end;             /* [k/4][3 pixels][4] widened codes, k a multiple of 8 */
    const int32_t *q;                   /* {begin, m, c} times two outputs */
    int8_t *y;                          /* the next output of the first pixel */
    int32_t second, third;              /* bytes from the first pixel to the others; 0: they are not there */
    int8_t *y_end;
    int32_t pre, mask, post;            /* of the form */
    const tarn_requant_params *p;
    const int32_t *exceptions;
    int32_t outputs;                    /* of the layer that lie before y_end */
    int32_t sums[6];                    /* [2 outputs][3 pixels] */
} tarn_int_dsp_block_state;

/* Writes two outputs of all pixels from s->sums. */
TARN_API void tarn_int_dsp_near(const tarn_int_dsp_block_state *s);

/* Widens n codes, a multiple of 4, to d, d + 12, ... four at a time; returns where the next ones go. */
TARN_API int16_t *tarn_int_dsp_widen(int16_t *d, const int8_t *x, int32_t n);

TARN_END_C
#endif
