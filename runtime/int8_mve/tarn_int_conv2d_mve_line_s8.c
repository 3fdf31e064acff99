/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_mve_line_s8.h"
#include "tarn_int_mve_few.h"

#if TARN_INT_MVE_ASM

/* Copies `count` pieces of n codes, 16 at most, that stand `pitch` apart; returns the end of the copy. A function that is assembly
 * alone, since compilers do not know the predicate by name. */
TARN_NAKED static int8_t *int_conv2d_mve_pieces_s8(int8_t *d TARN_UNUSED, const int8_t *x TARN_UNUSED, int32_t n TARN_UNUSED,
                                                   int32_t count TARN_UNUSED, int32_t pitch TARN_UNUSED)
{
    __asm__("push {r4,lr}\n\tldr r4,[sp,#8]\n\tvctp.8 r2\n\twls lr,r3,2f\n"
            "1:\n\tvpstt\n\tvldrbt.8 q0,[r1]\n\tvstrbt.8 q0,[r0]\n\tadd r1,r4\n\tadd r0,r2\n\tle lr,1b\n"
            "2:\n\tpop {r4,pc}");
}

#endif

/* The same of any length. */
static int8_t *int_conv2d_mve_taps_s8(int8_t *d, const int8_t *x, int32_t n, int32_t count, int32_t pitch)
{
    int8_t *d_at = d;
    const int8_t *x_at = x;
    int32_t tap;
#if TARN_INT_MVE_ASM
    if (n <= 16) {
        return int_conv2d_mve_pieces_s8(d, x, n, count, pitch);
    }
#endif
    for (tap = 0; tap < count; ++tap) {
        d_at = tarn_int_mve_copy(d_at, x_at, n);
        x_at += pitch;
    }
    return d_at;
}

/* What lies under the kernel at any column, group by group: of a line that is there taps outside of the image, those
 * inside, and those outside again. */
static void int_conv2d_mve_sides_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, int32_t column, int32_t pitch,
                                    int8_t *d)
{
    int8_t *d_at = d;
    const int32_t inputs = p->inputs;
    const int32_t step = p->dilation[1];
    int32_t before = 0;
    int32_t inside = p->taps;
    int32_t after = 0;
    ptrdiff_t offset;
    int32_t group;
    while ((inside > 0) && ((column + (before * step)) < 0)) {
        ++before;
        --inside;
    }
    while ((inside > 0) && ((column + ((before + inside - 1) * step)) >= p->in_pixels)) {
        ++after;
        --inside;
    }
    offset = (inside > 0) ? ((ptrdiff_t)(column + (before * step)) * p->x_pitch) : 0;
    for (group = 0; group < p->groups; ++group) {
        int32_t row;
        for (row = 0; row < p->rows; ++row) {
            if (x[row] == NULL) {
                d_at = tarn_int_mve_fill(d_at, p->zero, p->taps * inputs);
                continue;
            }
            if (before != 0) {
                d_at = tarn_int_mve_fill(d_at, p->zero, before * inputs);
            }
            if (pitch == inputs) {
                d_at = tarn_int_mve_copy(d_at, x[row] + offset, inside * inputs);
            } else {
                d_at = int_conv2d_mve_taps_s8(d_at, x[row] + offset, inputs, inside, pitch);
            }
            if (after != 0) {
                d_at = tarn_int_mve_fill(d_at, p->zero, after * inputs);
            }
        }
        offset += inputs;
    }
}

/* Copies what lies under the kernel at column `column`: at once where its pixels are there and follow each other. */
static void int_conv2d_mve_gather_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, int32_t column, int8_t *d)
{
    int8_t *d_at = d;
    const int32_t pitch = p->dilation[1] * p->x_pitch;
    const int32_t length = p->taps * pitch;
    int32_t row;
    if ((pitch != p->inputs) || (column < 0) || ((column + p->taps) > p->in_pixels)) {
        int_conv2d_mve_sides_s8(p, x, column, pitch, d);
        return;
    }
    for (row = 0; row < p->rows; ++row) {
        if (x[row] == NULL) {
            d_at = tarn_int_mve_fill(d_at, p->zero, length);
        } else {
            d_at = tarn_int_mve_copy(d_at, x[row] + ((ptrdiff_t)column * pitch), length);
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
