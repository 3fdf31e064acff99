/* SPDX-License-Identifier: MIT-0
 * Blocks of one to three patches for processors with sixteen products of codes at a time, none of which takes the time of more. */
#ifndef TARN_INT_MVE_FEW_H
#define TARN_INT_MVE_FEW_H

#include "tarn_int_mve.h"

TARN_BEGIN_C

/* As tarn_int_mve_block() for one patch, where s->x[1] is s->x[0], or two. */
TARN_API void tarn_int_mve_few(tarn_int_mve_state *s, const int8_t *w, const int32_t *q);

/* As tarn_int_mve_outputs() for blocks of one or two patches. */
TARN_API void tarn_int_mve_fewer(tarn_int_mve_state *s, const int8_t *w, const int32_t *q, const int32_t *w_zero, int8_t *y, int32_t pitch,
                                 int32_t count);

/* Codes of a patch that stays in registers: 0, there is no tarn_int_mve_short(). */
#if TARN_INT_MVE_ASM && !TARN_LESS_CODE
#define TARN_INT_MVE_SHORT 16
#else
#define TARN_INT_MVE_SHORT 0
#endif

#if TARN_INT_MVE_SHORT

/* The assembly counts on the order. */
typedef struct {
    int32_t x, y;               /* bytes from three patches to the next, and from their outputs */
    int32_t threes;             /* left, at least one */
} tarn_int_mve_steps;

/* All outputs of three patches after three at s->x and s->y, of no more than TARN_INT_MVE_SHORT codes, weights without zero points, as
 * for tarn_int_mve_block(). Three patches are read before their outputs are written, and not again. */
TARN_API void tarn_int_mve_short(tarn_int_mve_state *s, const int8_t *w, const int32_t *q, tarn_int_mve_steps *steps);

#endif

TARN_END_C
#endif
