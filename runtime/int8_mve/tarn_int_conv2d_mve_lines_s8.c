/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_mve_lines_s8.h"
#include "tarn_int_conv2d_mve_blocks_s8.h"
#include "tarn_int_conv2d_mve_patches_s8.h"

/* int_conv2d_mve_fours_s8() for three pixels that stand anywhere. */
static void int_conv2d_mve_apart_s8(const tarn_int_conv2d_mve_s8_params *p, tarn_int_mve_state *s, const int8_t *w, const int32_t *q,
                                    int8_t *const *y)
{
    int32_t i;
    s->second = (int32_t)(y[1] - y[0]);
    s->third = (int32_t)(y[2] - y[0]);
    s->channel = 0;
    s->y = y[0];
    s->y_first = y[0];
    s->y_end = y[0] + p->outputs;
#if TARN_INT_MVE_SHORT
    if (s->length <= TARN_INT_MVE_SHORT) {
        tarn_int_mve_steps steps = {0, 0, 1};
        tarn_int_mve_short(s, w, q, &steps);
    } else {
        tarn_int_mve_block(s, w, q);
    }
#else
    tarn_int_mve_block(s, w, q);
#endif
    for (i = 0; i < 3; ++i) {
        tarn_int_mve_clamp(s->p, y[i], p->outputs, 0, 1);
    }
}

/* Lines of one pixel, whose patches are rows side by side. */
static void int_conv2d_mve_singles_s8(const tarn_int_conv2d_mve_s8_params *p, tarn_int_mve_state *s, const int8_t *const *x,
                                      const int8_t *w, const int32_t *q, const int32_t *exceptions, int8_t *const *y, int32_t count,
                                      int8_t *scratch)
{
    const int8_t *const *x_at = x;
    int8_t *d = scratch;
    int32_t held = 0;
    int32_t line;
    int_conv2d_mve_blocks_s8(p, s, scratch);
    for (line = 0; line < count; ++line) {
        int32_t above = 0;
        if (int_conv2d_mve_lines_s8(p, x_at, &above) == p->rows) {
            int_conv2d_mve_rows_s8(d, x_at, 0, p->taps * p->inputs, p->rows);
        } else {
            int_conv2d_mve_sides_s8(p, x_at, 0, p->dilation[1] * p->x_pitch, d);
        }
        d += s->length;
        ++held;
        if (held == 3) {
            int_conv2d_mve_apart_s8(p, s, w, q, y + (line - 2));
            d = scratch;
            held = 0;
        }
        x_at += p->rows;
    }
    if ((held == 2) && ((y[count - 1] - y[count - 2]) == p->y_pitch)) {
        tarn_int_conv2d_mve_rest_s8(p, w, q, NULL, exceptions, y[count - 2], 2, scratch);
    } else {
        for (line = count - held; line < count; ++line) {
            tarn_int_conv2d_mve_rest_s8(p, w, q, NULL, exceptions, y[line], 1, scratch + ((ptrdiff_t)(line - (count - held)) * s->length));
        }
    }
}

TARN_API void tarn_int_conv2d_mve_lines_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, const int8_t *w,
                                           const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *const *y,
                                           int32_t count, int8_t *scratch)
{
    const int8_t *const *x_at = x;
    int8_t *y_at = y[0];
    int32_t held = 0;
    int32_t line;
    if ((TARN_LESS_CODE == 0) && (p->out_pixels == 1) && (p->pad[1] == 0) && (p->groups == 1) && (p->block == 3) && (w_zero == NULL) &&
        ((p->taps == 1) || ((p->dilation[1] * p->x_pitch) == p->inputs))) {
        tarn_int_mve_state s;
        int_conv2d_mve_begin_s8(p, exceptions, &s);
        if (((p->outputs % 4) == 0) || int_conv2d_mve_short_s8(p, &s)) {
            int_conv2d_mve_singles_s8(p, &s, x, w, q, exceptions, y, count, scratch);
            return;
        }
    }
    for (line = 0; line < count; ++line) {
        int32_t next;
        /* A block's outputs stand side by side: where a ring begins again, so does a block. */
        if (y[line] != (y_at + ((ptrdiff_t)held * p->y_pitch))) {
            tarn_int_conv2d_mve_rest_s8(p, w, q, w_zero, exceptions, y_at, held, scratch);
            held = 0;
            y_at = y[line];
        }
        next = tarn_int_conv2d_mve_columns_s8(p, x_at, w, q, w_zero, exceptions, y_at, 0, p->out_pixels, held, scratch);
        y_at += (ptrdiff_t)(held + p->out_pixels - next) * p->y_pitch;
        held = next;
        x_at += p->rows;
    }
    tarn_int_conv2d_mve_rest_s8(p, w, q, w_zero, exceptions, y_at, held, scratch);
}
