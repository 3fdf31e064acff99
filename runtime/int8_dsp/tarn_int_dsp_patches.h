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

#if !TARN_INT_DSP_ASM

/* The weights of two outputs for element k of those whose bytes begin at w. */
typedef void (*tarn_int_dsp_weights)(const int8_t *w, int32_t k, int32_t *a, int32_t *b);

/* What tarn_int_dsp_block() over weights of any form does: `each` elements, a multiple of four, stand in `bytes`. weights: constant
 * wherever this is called, so that it stands in line. */
TARN_FORCE_INLINE void tarn_int_dsp_any_block(const tarn_int_dsp_block_state *state, const int8_t *w, int32_t bytes, int32_t each,
                                              tarn_int_dsp_weights weights)
{
    static const int32_t place[4] = {0, 2, 1, 3};
    const int8_t *w_at = w;
    tarn_int_dsp_block_state s = *state;
    const int32_t pixels = (s.second == 0) ? 1 : (s.third == 0) ? 2 : 3;
    do {
        const int16_t *x = s.x;
        int32_t i;
        for (i = 0; i < 6; ++i) {
            s.sums[i] = s.q[i / 3];
        }
        do {
            int32_t k;
            for (k = 0; k < each; ++k) {
                int32_t a;
                int32_t b;
                weights(w_at, k, &a, &b);
                for (i = 0; i < pixels; ++i) {
                    const int32_t v = x[(k / 4 * 12) + (4 * i) + place[k % 4]];
                    s.sums[i] += a * v;
                    s.sums[3 + i] += b * v;
                }
            }
            w_at += bytes;
            x += (ptrdiff_t)3 * each;
        } while (x != s.end);
        tarn_int_dsp_near(&s);
        s.q += 6;
        s.y += 2;
    } while (s.y != s.y_end);
}

#endif

TARN_END_C
#endif
