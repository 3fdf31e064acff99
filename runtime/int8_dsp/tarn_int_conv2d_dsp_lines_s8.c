/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_dsp_lines_s8.h"
#include "tarn_int_clamp_s8.h"

#if !TARN_LESS_CODE

/* tarn_int_conv2d_dsp_end_s8() for an even number of outputs of `count` pixels, two or three, that stand anywhere. */
static void int_conv2d_dsp_apart_s8(tarn_int_conv2d_dsp_run *s, const tarn_int_conv2d_dsp_s8_params *p, int8_t *const *y, int32_t count)
{
    tarn_int_dsp_block_state *block = &s->block;
    int32_t i;
    block->outputs = p->outputs;
    block->y = y[0];
    block->y_end = y[0] + p->outputs;
    block->second = (int32_t)(y[1] - y[0]);
    block->third = (count > 2) ? (int32_t)(y[2] - y[0]) : 0;
    tarn_int_dsp_block(block, s->w);
    for (i = 0; (i < count) && (s->bounded != 0); ++i) {
        tarn_int_clamp_s8(&p->requant, y[i], 1, p->outputs, 0);
    }
}

/* Two or three lines of one pixel of which a ring begins again between them. */
static void int_conv2d_dsp_singles_s8(tarn_int_conv2d_dsp_run *s, const tarn_int_conv2d_dsp_s8_params *p, const int8_t *const *x,
                                      int8_t *const *y, int32_t count)
{
    int16_t *patches = s->patches;
    const int8_t *const *x_at = x;
    int32_t line;
    for (line = 0; line < count; ++line) {
        /* Alone each time, where its patch belongs: a block that is full would be written. */
        s->held = 0;
        tarn_int_conv2d_dsp_columns_s8(s, p, x_at, 0, 1);
        s->patches += 4;
        x_at += p->rows;
    }
    s->patches = patches;
    s->held = 0;
    int_conv2d_dsp_apart_s8(s, p, y, count);
}

/* Lines of one pixel, from this one on, that are a block though they do not follow each other; 0: none. */
static int32_t int_conv2d_dsp_broken_s8(const tarn_int_conv2d_dsp_s8_params *p, int8_t *const *y, int32_t left)
{
    const int32_t block = (left < 3) ? left : 3;
    int32_t line;
    for (line = 1; line < block; ++line) {
        if ((y[line] - y[line - 1]) != p->y_pitch) {
            return block;
        }
    }
    return 0;
}

#endif

TARN_API void tarn_int_conv2d_dsp_lines_s8(const tarn_int_conv2d_dsp_s8_params *p, const int8_t *const *x, const int32_t *w,
                                           const int32_t *q, const int32_t *exceptions, int8_t *const *y, int32_t count,
                                           int32_t *scratch, int8_t *bytes)
{
    const int8_t *const *x_at = x;
    tarn_int_conv2d_dsp_run s;
    int32_t line = 0;
    tarn_int_conv2d_dsp_begin_s8(&s, p, w, q, exceptions, y[0], scratch, bytes);
    while (line < count) {
        int32_t made = 1;
#if !TARN_LESS_CODE
        const int32_t block = ((p->out_pixels == 1) && ((p->outputs & 1) == 0) && (s.held == 0)) ? int_conv2d_dsp_broken_s8(p, y + line, count - line) : 0;
        if (block != 0) {
            int_conv2d_dsp_singles_s8(&s, p, x_at, y + line, block);
            made = block;
        } else
#endif
        {
            /* A block's outputs stand side by side: where a ring begins again, so does a block. */
            if (y[line] != (s.y + ((ptrdiff_t)s.held * p->y_pitch))) {
                tarn_int_conv2d_dsp_end_s8(&s, p);
                s.y = y[line];
            }
            tarn_int_conv2d_dsp_columns_s8(&s, p, x_at, 0, p->out_pixels);
        }
        x_at += (ptrdiff_t)made * p->rows;
        line += made;
    }
    tarn_int_conv2d_dsp_end_s8(&s, p);
}
