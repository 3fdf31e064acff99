/* SPDX-License-Identifier: MIT-0 */
#include "tarn_conv_line_mve_f32.h"
#include "tarn_tile_mve_f32.h"

typedef struct {
    const float *const *row, *const *rows_end; /* the first, and past the last */
    const float *w, *bias;  /* of the outputs that are next; w at the first tap inside the line */
    ptrdiff_t offset;       /* of the first input there in each row */
    ptrdiff_t w_line, quad; /* weights of four outputs: in a row, in all */
    int32_t runs, n;        /* runs of n inputs that lie side by side in a row */
    int32_t run_step, x_step;
} conv_tile_mve_f32;

/* `outputs` of the group's `left`. */
TARN_FORCE_INLINE void conv_outputs_mve_f32(conv_tile_mve_f32 *t, tarn_ends_mve_f32 *to, int32_t left, int32_t pixels, int32_t outputs)
{
    const float *const *row;
    const float *w_row = t->w;
    tarn_tile_mve_f32 s;
    tarn_tile_start_mve_f32(&s, t->bias, outputs);
    for (row = t->row; row != t->rows_end; ++row) {
        int32_t run = (*row != NULL) ? t->runs : 0;
        if (run > 0) {
            const float *x = *row + t->offset;
            const float *w = w_row;
            do {
                tarn_tile_run_mve_f32(&s, x, t->x_step, w, t->quad, t->n, pixels, outputs);
                x += t->run_step;
                w += (ptrdiff_t)4 * t->n;
                --run;
            } while (run > 0);
        }
        w_row += t->w_line;
    }
    tarn_tile_end_mve_f32(&s, to, left, pixels, outputs);
    tarn_ends_next_mve_f32(to, (left < outputs) ? left : outputs);
    t->w += (outputs / 4) * t->quad;
    t->bias = (t->bias != NULL) ? (t->bias + outputs) : NULL;
}

/* All outputs of three pixels that lie inside the line, or of one. */
TARN_FORCE_INLINE void conv_pixels_mve_f32(const tarn_conv_line_mve_f32_params *p, conv_tile_mve_f32 *t, tarn_ends_mve_f32 *to,
                                           int32_t pixels)
{
    int32_t group;
    for (group = 0; group < p->groups; ++group) {
        int32_t left = p->outputs;
        if (pixels == 1) {
            for (; left >= TARN_TILE_MOST_MVE_F32; left -= TARN_TILE_MOST_MVE_F32) {
                conv_outputs_mve_f32(t, to, left, pixels, TARN_TILE_MOST_MVE_F32);
            }
        }
        for (; left > 4; left -= 8) {
            conv_outputs_mve_f32(t, to, left, pixels, 8);
        }
        if (left > 0) {
            conv_outputs_mve_f32(t, to, left, pixels, 4);
        }
        t->offset += p->inputs;
    }
}

TARN_API void tarn_conv_line_mve_f32(const tarn_conv_line_mve_f32_params *p, const float *const *rows, const float *w, const float *b,
                                     const float *r, float *y, int32_t first, int32_t end, int32_t block)
{
    const int32_t tap_step = p->dilation * p->x_pitch;
    const int32_t last_tap = (p->taps - 1) * p->dilation;
    /* A tile that makes all outputs has read its last input before it writes the first. */
    const int32_t threes = (block != 0) || ((p->groups == 1) && (p->outputs <= 8));
    tarn_ends_mve_f32 to;
    conv_tile_mve_f32 t;
    int32_t pixel = first;
    tarn_ends_begin_mve_f32(&to, p->lo, p->hi, p->r_pitch, p->y_pitch);
    t.row = rows;
    t.rows_end = rows + p->rows;
    t.w_line = (ptrdiff_t)4 * p->taps * p->inputs;
    t.quad = t.w_line * p->rows;
    t.run_step = tap_step;
    t.x_step = p->stride * p->x_pitch;
    while (pixel < end) {
        const int32_t at = (pixel * p->stride) - p->pad;
        const int32_t room = p->in_pixels - last_tap - at; /* columns in which a kernel may begin and ends inside */
        const int32_t inside = (at >= 0) && (room > 0);
        int32_t tap0 = 0;
        int32_t tap1 = p->taps;
        if (inside == 0) {
            while ((tap0 < tap1) && ((at + (tap0 * p->dilation)) < 0)) {
                ++tap0;
            }
            while ((tap1 > tap0) && ((at + ((tap1 - 1) * p->dilation)) >= p->in_pixels)) {
                --tap1;
            }
        }
        t.offset = ((ptrdiff_t)at * p->x_pitch) + ((ptrdiff_t)tap0 * tap_step);
        t.w = w + ((ptrdiff_t)4 * tap0 * p->inputs);
        t.bias = b;
        t.runs = tap1 - tap0;
        t.n = p->inputs;
        /* Neighbouring taps whose channels lie side by side are one long run. */
        if ((tap_step == p->inputs) && (t.runs > 0)) {
            t.n *= t.runs;
            t.runs = 1;
        }
        tarn_ends_at_mve_f32(&to, r, y, pixel);
        if ((threes != 0) && (inside != 0) && (room > (2 * p->stride)) && ((end - pixel) >= 3)) {
            conv_pixels_mve_f32(p, &t, &to, 3);
            pixel += 3;
        } else {
            conv_pixels_mve_f32(p, &t, &to, 1);
            ++pixel;
        }
    }
}
