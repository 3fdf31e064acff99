/* SPDX-License-Identifier: MIT-0
 * Outputs of pixels that lie anywhere, for tarn_int_conv1x1_mve_line_s8.c and tarn_int_conv1x1_mve_lines_s8.c. */
#ifndef TARN_INT_MVE_PIXELS_H
#define TARN_INT_MVE_PIXELS_H

#include "tarn_int_mve.h"
#include "tarn_int_mve_few.h"

TARN_BEGIN_C

/* A state for patches of `inputs` codes. */
TARN_UNUSED static void int_mve_pixels_begin(tarn_int_mve_state *s, const tarn_requant_params *p, const int32_t *exceptions, int32_t inputs,
                                             int32_t outputs)
{
    tarn_int_mve_begin(s, p, exceptions, inputs, outputs);
    s->w_zero = NULL;
    s->first = 0;
    s->closer = TARN_INT_CLOSER(s->mask);
}

/* All outputs of the first `count` pixels at s->x, from one to three: at y, and s->second and s->third bytes behind it. */
TARN_UNUSED static void int_mve_pixels_outputs(tarn_int_mve_state *s, const int8_t *w, const int32_t *q, int8_t *y, int32_t count)
{
    if (count < 3) {
        s->x[2] = s->x[0];
        s->third = 0;
    }
    if (count < 2) {
        s->x[1] = s->x[0];
        s->second = 0;
    }
    s->y = y;
    s->y_first = y;
    s->y_end = y + s->outputs;
#if TARN_INT_MVE_SHORT
    if (s->length <= TARN_INT_MVE_SHORT) {
        tarn_int_mve_steps steps = {0, 0, 1};
        tarn_int_mve_short(s, w, q, &steps);
        return;
    }
#endif
    if (count == 3) {
        tarn_int_mve_block(s, w, q);
    } else {
        tarn_int_mve_few(s, w, q);
    }
}

TARN_END_C
#endif
