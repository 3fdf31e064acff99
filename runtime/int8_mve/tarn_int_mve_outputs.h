/* SPDX-License-Identifier: MIT-0
 * The outputs of one to three patches, for blocks over weights of 8, 4 and 2 bits: whole fours of them, and the rest by way of the stack. */
#ifndef TARN_INT_MVE_OUTPUTS_H
#define TARN_INT_MVE_OUTPUTS_H

#include "tarn_int_mve.h"

typedef void (*tarn_int_mve_products)(tarn_int_mve_state *s, const int8_t *w, const int32_t *q);

/* As tarn_int_mve_outputs(); block and dense: constant wherever this is called, so that the calls stand in line. */
TARN_FORCE_INLINE void tarn_int_mve_outputs_by(tarn_int_mve_state *s, int32_t blocks, const int8_t *w, const int32_t *q,
                                               const int32_t *w_zero, int8_t *y, int32_t pitch, int32_t count,
                                               tarn_int_mve_products block, tarn_int_mve_products dense)
{
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    const int32_t whole = s->outputs & ~3;
    s->w_zero = w_zero;
    s->closer = (w_zero != NULL) ? 1 : TARN_INT_CLOSER(s->mask);
    s->second = (count > 1) ? pitch : 0;
    s->third = (count > 2) ? (2 * pitch) : 0;
    s->y = y;
    s->y_first = y;
    s->first = 0;
    s->y_end = y + whole;
    if (whole != 0) {
        if (blocks != 0) {
            block(s, w_at, q_at);
        } else {
            dense(s, w_at, q_at);
        }
    }
    if (whole != s->outputs) {
        int8_t last[12];
        int32_t patch;
        w_at += (ptrdiff_t)whole / 4 * s->quad;
        q_at += (ptrdiff_t)3 * whole;
        s->second = 4;
        s->third = 8;
        s->y = last;
        s->y_first = last;
        s->first = whole;
        s->y_end = last + 4;
        if (blocks != 0) {
            block(s, w_at, q_at);
        } else {
            dense(s, w_at, q_at);
        }
        for (patch = 0; patch < count; ++patch) {
            int32_t o;
            for (o = 0; o < (s->outputs - whole); ++o) {
                y[(patch * pitch) + whole + o] = s->y_first[(4 * patch) + o];
            }
        }
    }
    tarn_int_mve_clamp(s->p, y, s->outputs, pitch, count);
}

#endif
