/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_mve_line_s8.h"
#include "tarn_int_mve_few.h"

/* Copies what lies under the kernel at column `column`, group by group. */
static void int_conv2d_mve_gather_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, int32_t column, int8_t *d)
{
    int8_t *d_at = d;
    const int32_t inputs = p->inputs;
    const int32_t joined =
        (p->x_pitch == inputs) && (p->dilation[1] == 1) && (column >= 0) && ((column + p->taps) <= p->in_pixels);
    int32_t group;
    for (group = 0; group < p->groups; ++group) {
        int32_t row;
        for (row = 0; row < p->rows; ++row) {
            const int8_t *line = x[row];
            if (line == NULL) {
                d_at = tarn_int_mve_fill(d_at, p->zero, p->taps * inputs);
            } else if (joined != 0) {
                d_at = tarn_int_mve_copy(d_at, line + ((ptrdiff_t)column * inputs), p->taps * inputs);
            } else {
                int32_t pixel = column;
                int32_t tap;
                for (tap = 0; tap < p->taps; ++tap) {
                    if ((pixel >= 0) && (pixel < p->in_pixels)) {
                        d_at = tarn_int_mve_copy(d_at, line + ((ptrdiff_t)pixel * p->x_pitch) + ((ptrdiff_t)group * inputs), inputs);
                    } else {
                        d_at = tarn_int_mve_fill(d_at, p->zero, inputs);
                    }
                    pixel += p->dilation[1];
                }
            }
        }
    }
}

/* All outputs of `count` patches. */
static void int_conv2d_mve_block_s8(const tarn_int_conv2d_mve_s8_params *p, tarn_int_mve_state *s, const int8_t *scratch,
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
        w_at += (ptrdiff_t)lanes * ((ptrdiff_t)(s->length + 15) / 16 * 16);
        q_at += (ptrdiff_t)3 * lanes;
        w_zero_at = (w_zero_at != NULL) ? (w_zero_at + lanes) : NULL;
        y_at += p->outputs;
        s->channel += lanes;
    }
}

static void int_conv2d_mve_begin_s8(const tarn_int_conv2d_mve_s8_params *p, const int32_t *exceptions, tarn_int_mve_state *s)
{
    tarn_int_mve_begin(s, &p->requant, exceptions, p->rows * p->taps * p->inputs, p->outputs);
}

TARN_API void tarn_int_conv2d_mve_rest_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *w, const int32_t *q,
                                          const int32_t *w_zero, const int32_t *exceptions, int8_t *y, int32_t held,
                                          const int8_t *scratch)
{
    if (held != 0) {
        tarn_int_mve_state s;
        int_conv2d_mve_begin_s8(p, exceptions, &s);
        if ((p->groups == 1) && (w_zero == NULL)) {
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
    /* Patches are whole pixels side by side. */
    const int32_t dense = (p->rows == 1) && (p->taps == 1) && (p->groups == 1) && (p->x_pitch == p->inputs) && (p->pad[1] == 0) &&
                          (p->stride[1] == 1) && (x[0] != NULL) && (p->out_pixels <= p->in_pixels);
    int32_t pixel = first;
    tarn_int_mve_state s;
    int_conv2d_mve_begin_s8(p, exceptions, &s);
    while (pixel < end) {
        int8_t *d = scratch + ((ptrdiff_t)held_now * p->groups * s.length);
        int32_t taken = 1;
        if (dense != 0) {
            taken = ((end - pixel) < (p->block - held_now)) ? (end - pixel) : (p->block - held_now);
            tarn_int_mve_copy(d, x[0] + ((ptrdiff_t)pixel * p->inputs), taken * p->inputs);
        } else {
            int_conv2d_mve_gather_s8(p, x, (pixel * p->stride[1]) - p->pad[1], d);
        }
        pixel += taken;
        held_now += taken;
        if (held_now == p->block) {
            int_conv2d_mve_block_s8(p, &s, scratch, w, q, w_zero, y_at, held_now);
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
