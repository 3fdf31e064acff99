/* SPDX-License-Identifier: MIT-0
 * What tarn_int_conv2d_mve_line_s8.c and tarn_int_conv2d_mve_lines_s8.c make of blocks of patches; each has its own, as it fits. */
#ifndef TARN_INT_CONV2D_MVE_BLOCKS_S8_H
#define TARN_INT_CONV2D_MVE_BLOCKS_S8_H

#include "tarn_int_conv2d_mve_line_s8.h"
#include "tarn_int_mve.h"
#include "tarn_int_mve_few.h"

TARN_BEGIN_C

/* Whether tarn_int_mve_short() takes its patches. */
TARN_UNUSED static int int_conv2d_mve_short_s8(const tarn_int_conv2d_mve_s8_params *p, const tarn_int_mve_state *s)
{
    return (p->block == 3) && (s->length <= TARN_INT_MVE_SHORT);
}

TARN_UNUSED static void int_conv2d_mve_shift_s8(tarn_int_mve_state *s, int32_t n)
{
    int32_t i;
    for (i = 0; i < 3; ++i) {
        s->x[i] += n;
    }
}

/* Before int_conv2d_mve_fours_s8(): whole blocks in the scratch. */
TARN_UNUSED static void int_conv2d_mve_blocks_s8(const tarn_int_conv2d_mve_s8_params *p, tarn_int_mve_state *s, const int8_t *scratch)
{
    const int32_t all = (p->block == 3) ? (p->groups * s->length) : 0;
    s->x[0] = scratch;
    s->x[1] = scratch + all;
    s->x[2] = scratch + ((ptrdiff_t)2 * all);
    s->second = p->y_pitch;
    s->third = 2 * p->y_pitch;
    s->w_zero = NULL;
    s->first = 0;
    s->closer = TARN_INT_CLOSER(s->mask);
}

/* Outputs of a block, of weights without zero points: whole fours of them in each group, or short patches. */
TARN_UNUSED static void int_conv2d_mve_fours_s8(const tarn_int_conv2d_mve_s8_params *p, tarn_int_mve_state *s, const int8_t *w, const int32_t *q,
                                    int8_t *y)
{
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    int8_t *y_at = y;
    int32_t group = p->groups;
    s->channel = 0;
    for (;;) {
        s->y = y_at;
        s->y_first = y_at;
        y_at += p->outputs;
        s->y_end = y_at;
        if (p->block != 3) {
            tarn_int_mve_dense(s, w_at, q_at);
#if TARN_INT_MVE_SHORT
        } else if (s->length <= TARN_INT_MVE_SHORT) {
            tarn_int_mve_steps steps = {0, 0, 1};
            tarn_int_mve_short(s, w_at, q_at, &steps);
#endif
        } else {
            tarn_int_mve_block(s, w_at, q_at);
        }
        --group;
        if (group == 0) {
            break;
        }
        int_conv2d_mve_shift_s8(s, s->length);
        w_at += (ptrdiff_t)((p->outputs + 3) / 4) * s->quad;
        q_at += (ptrdiff_t)12 * ((p->outputs + 3) / 4);
        s->channel += (p->outputs + 3) / 4 * 4;
    }
    if (p->groups > 1) {
        int_conv2d_mve_shift_s8(s, (1 - p->groups) * s->length);
    }
    tarn_int_mve_clamp(s->p, y, p->groups * p->outputs, p->y_pitch, p->block);
}

/* All outputs of `count` patches. */
TARN_UNUSED static void int_conv2d_mve_block_s8(const tarn_int_conv2d_mve_s8_params *p, tarn_int_mve_state *s, const int8_t *scratch,
                                    const int8_t *w, const int32_t *q, const int32_t *w_zero, int8_t *y, int32_t count)
{
    const int8_t *scratch_at = scratch;
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    const int32_t *w_zero_at = w_zero;
    int8_t *y_at = y;
    const int32_t all = p->groups * s->length;
    const int32_t lanes = (p->outputs + 3) / 4 * 4;
    int32_t group;
    s->channel = 0;
    for (group = 0; group < p->groups; ++group) {
        s->x[0] = scratch_at;
        s->x[1] = (count > 1) ? (scratch_at + all) : scratch_at;
        s->x[2] = (count > 2) ? (scratch_at + ((ptrdiff_t)2 * all)) : scratch_at;
        if (w_zero_at != NULL) {
            int32_t i;
            for (i = 0; i < p->block; ++i) {
                s->x_sums[i] = tarn_int_mve_sum(s->x[i], s->length);
            }
        }
        tarn_int_mve_outputs(s, p->block == 3, w_at, q_at, w_zero_at, y_at, p->y_pitch, count);
        scratch_at += s->length;
        w_at += TARN_INT_MVE_BYTES(lanes, (ptrdiff_t)(s->length + 15) / 16 * 16);
        q_at += (ptrdiff_t)3 * lanes;
        w_zero_at = (w_zero_at != NULL) ? (w_zero_at + lanes) : NULL;
        y_at += p->outputs;
        s->channel += lanes;
    }
}

TARN_UNUSED static void int_conv2d_mve_begin_s8(const tarn_int_conv2d_mve_s8_params *p, const int32_t *exceptions, tarn_int_mve_state *s)
{
    tarn_int_mve_begin(s, &p->requant, exceptions, p->rows * p->taps * p->inputs, p->outputs);
}

TARN_END_C
#endif
