/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_mve_line_s8.h"
#include "tarn_int_conv2d_mve_blocks_s8.h"
#include "tarn_int_conv2d_mve_patches_s8.h"

#if TARN_INT_MVE_SHORT

/* All outputs of `count` patches, a multiple of three, that are pixels of few inputs: as they lie in x, into registers. */
static void int_conv2d_mve_pixels_s8(const tarn_int_conv2d_mve_s8_params *p, tarn_int_mve_state *s, const int8_t *x, const int8_t *w,
                                     const int32_t *q, int8_t *y, int32_t count)
{
    const int32_t step = p->stride[1] * p->x_pitch;
    tarn_int_mve_steps steps = {3 * step, 3 * p->y_pitch, count / 3};
    s->x[0] = x;
    s->x[1] = x + step;
    s->x[2] = x + ((ptrdiff_t)2 * step);
    s->channel = 0;
    s->y = y;
    tarn_int_mve_short(s, w, q, &steps);
    tarn_int_mve_clamp(s->p, y, p->outputs, p->y_pitch, count);
}

#endif

TARN_API void tarn_int_conv2d_mve_rest_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *w, const int32_t *q,
                                          const int32_t *w_zero, const int32_t *exceptions, int8_t *y, int32_t held,
                                          const int8_t *scratch)
{
    if (held != 0) {
        tarn_int_mve_state s;
        int_conv2d_mve_begin_s8(p, exceptions, &s);
        if ((TARN_LESS_CODE == 0) && (p->groups == 1) && (w_zero == NULL)) {
            s.x[0] = scratch;
            s.x[1] = (held > 1) ? (scratch + s.length) : scratch;
            s.x[2] = scratch;
            tarn_int_mve_fewer(&s, w, q, NULL, y, p->y_pitch, held);
        } else {
            int_conv2d_mve_block_s8(p, &s, scratch, w, q, w_zero, y, held);
        }
    }
}

TARN_API int32_t tarn_int_conv2d_mve_columns_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, const int8_t *w,
                                                const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                                int32_t first, int32_t end, int32_t held, int8_t *scratch)
{
    int8_t *y_at = y;
    int32_t held_now = held;
    /* Patches are whole pixels, side by side or not. */
    const int whole = (p->rows == 1) && (p->taps == 1) && (p->pad[1] == 0) && (x[0] != NULL) &&
                      (((p->out_pixels - 1) * p->stride[1]) < p->in_pixels);
    const int dense = whole && (p->x_pitch == (p->groups * p->inputs)) && (p->stride[1] == 1);
    const int32_t last = p->in_pixels - 1 - ((p->taps - 1) * p->dilation[1]);
    int32_t above = 0;
    const int32_t there = int_conv2d_mve_lines_s8(p, x, &above);
    const int beside = (p->dilation[1] * p->x_pitch) == p->inputs; /* taps */
    const int joined = ((TARN_LESS_CODE != 0) ? (there == p->rows) : (there != 0)) && beside;
#if INT_CONV2D_MVE_COPIES_S8
    const int pieces = (there == p->rows) && (p->inputs <= 16);
#endif
    int32_t column = (first * p->stride[1]) - p->pad[1];
    int32_t left = end - first;
    int fours;
    tarn_int_mve_state s;
    int_conv2d_mve_begin_s8(p, exceptions, &s);
    fours = (TARN_LESS_CODE == 0) && (w_zero == NULL) && (((p->outputs % 4) == 0) || int_conv2d_mve_short_s8(p, &s));
    if (fours) {
        int_conv2d_mve_blocks_s8(p, &s, scratch);
    }
    while (left > 0) {
        int8_t *d = scratch + ((ptrdiff_t)held_now * p->groups * s.length);
        int32_t taken = 1;
#if TARN_INT_MVE_SHORT
        if (whole && fours && (held_now == 0) && (left >= 3) && (p->groups == 1) && int_conv2d_mve_short_s8(p, &s)) {
            /* What is left then is no block. */
            taken = left / 3 * 3;
            int_conv2d_mve_pixels_s8(p, &s, x[0] + ((ptrdiff_t)column * p->x_pitch), w, q, y_at, taken);
            y_at += (ptrdiff_t)taken * p->y_pitch;
            left -= taken;
            column += taken * p->stride[1];
            continue;
        }
#endif
        if (dense) {
            taken = (left < (p->block - held_now)) ? left : (p->block - held_now);
            tarn_int_mve_copy(d, x[0] + ((ptrdiff_t)column * p->x_pitch), taken * p->x_pitch);
        } else if (joined && (column >= 0) && (column <= last)) {
            int_conv2d_mve_gather_s8(p, x, column, above, there, d);
#if INT_CONV2D_MVE_COPIES_S8
        } else if (pieces && (column >= 0) && (column <= last)) {
            const int_conv2d_mve_all_pieces_s8 all = {column * p->x_pitch, p->inputs, p->taps, p->dilation[1] * p->x_pitch, p->rows, p->groups};
            int_conv2d_mve_groups_s8(d, x, &all);
#endif
#if TARN_INT_MVE_ASM
        } else if (beside && ((p->taps * p->inputs) <= 16)) {
            int_conv2d_mve_edge_s8(p, x, column, d);
#endif
        } else {
            int_conv2d_mve_sides_s8(p, x, column, p->dilation[1] * p->x_pitch, d);
        }
        left -= taken;
        held_now += taken;
        column += taken * p->stride[1];
        if (held_now == p->block) {
            if (fours) {
                int_conv2d_mve_fours_s8(p, &s, w, q, y_at);
            } else {
                int_conv2d_mve_block_s8(p, &s, scratch, w, q, w_zero, y_at, held_now);
            }
            y_at += (ptrdiff_t)held_now * p->y_pitch;
            held_now = 0;
        }
    }
    return held_now;
}

TARN_API void tarn_int_conv2d_mve_line_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, const int8_t *w,
                                          const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                          int32_t first, int32_t end, int8_t *scratch)
{
    const int32_t held = tarn_int_conv2d_mve_columns_s8(p, x, w, q, w_zero, exceptions, y + ((ptrdiff_t)first * p->y_pitch), first, end, 0,
                                                        scratch);
    tarn_int_conv2d_mve_rest_s8(p, w, q, w_zero, exceptions, y + ((ptrdiff_t)(end - held) * p->y_pitch), held, scratch);
}
