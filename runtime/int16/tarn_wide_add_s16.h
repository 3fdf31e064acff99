/* SPDX-License-Identifier: MIT-0
 * The sum of two 16-bit operands with scales of their own: t = a * a_factor + b * b_factor + c, code = t >> shift; ties to even. */
#ifndef TARN_WIDE_ADD_S16_H
#define TARN_WIDE_ADD_S16_H

#include "tarn_wide.h"

TARN_BEGIN_C

typedef struct {
    int32_t outer, inner;               /* runs, and elements of a run */
    int32_t a_pitch, b_pitch, y_pitch;  /* elements from one run to the next */
    int32_t a_step, b_step;             /* 1, or 0: the same element for the whole run */
    tarn_wide_params codes;
    int32_t a_factor;
    int32_t form[4];                    /* see tarn_wide.h; b's factor */
} tarn_wide_add_s16_params;

/* y may be a or b. */
TARN_API void tarn_wide_add_s16(const tarn_wide_add_s16_params *p, const int16_t *a, const int16_t *b, int16_t *y);

TARN_END_C
#endif
