/* SPDX-License-Identifier: MIT-0
 * Part of the sums of three pixels times two outputs at a time; see tarn_int_dsp.h. */
#ifndef TARN_INT_DSP_PART_H
#define TARN_INT_DSP_PART_H

#include "tarn_int_dsp.h"

TARN_BEGIN_C

/* The assembly counts on the order of the members. */
typedef struct {
    const int16_t *x, *end;     /* [k/4][3 pixels][4] widened codes, k a multiple of 8 */
    int32_t *sums, *sums_end;   /* [outputs/2][2 outputs][3 pixels] */
    int32_t skip;               /* bytes from behind a pair's weights to those of the next */
    int32_t pixels;             /* 1 to 3; sums of others stay what they are */
} tarn_int_dsp_part_state;

/* Widens n codes of each of three pixels, a multiple of 4, as they stand in x above, and moves the pointers behind them. */
TARN_API void tarn_int_dsp_widen_three(int16_t *d, const int8_t **from, int32_t n);

/* Adds to s->sums. w: [outputs/2][k/4][2 outputs][4], aligned to 4. */
TARN_API void tarn_int_dsp_part(const tarn_int_dsp_part_state *s, const int8_t *w);

TARN_END_C
#endif
