/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_line_s8.h"
#include "tarn_int_block_s8.h"

/* Copies what lies under the kernel at column `column`, for the group whose channels begin at `offset`. */
static void int_conv2d_gather_s8(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, int32_t offset, int32_t column,
                                 int8_t *d)
{
    const int32_t inputs = p->inputs;
    const int32_t joined = p->x_pitch == inputs && p->dilation[1] == 1;
    int32_t row;
    int32_t i;
    for (row = 0; row < p->rows; ++row) {
        const int8_t *line = x[row];
        if (joined != 0 && line != NULL && column >= 0 && column + p->taps <= p->in_pixels) {
            const int32_t n = p->taps * inputs;
            const int8_t *from = line + column * inputs;
            for (i = 0; i < n; ++i) {
                d[i] = from[i];
            }
            d += n;
        } else {
            int32_t tap;
            for (tap = 0; tap < p->taps; ++tap) {
                const int32_t pixel = column + tap * p->dilation[1];
                if (line != NULL && pixel >= 0 && pixel < p->in_pixels) {
                    const int8_t *s = line + pixel * p->x_pitch + offset;
                    for (i = 0; i < inputs; ++i) {
                        d[i] = s[i];
                    }
                } else {
                    for (i = 0; i < inputs; ++i) {
                        d[i] = (int8_t)p->zero;
                    }
                }
                d += inputs;
            }
        }
    }
    for (i = p->rows * p->taps * inputs; i < p->length; ++i) {
        *d++ = 0;
    }
}

static int32_t int_conv2d_sum_s8(const int8_t *x, int32_t n)
{
    int32_t sum = 0;
    do {
        sum += *x++;
    } while (--n > 0);
    return sum;
}

static void int_conv2d_correct_s8(tarn_int_quad *s, const int32_t *w_zero, int32_t sum)
{
    s->a -= w_zero[0] * sum;
    s->b -= w_zero[1] * sum;
    s->c -= w_zero[2] * sum;
    s->d -= w_zero[3] * sum;
}

/* All outputs of one group for `count` patches. */
static void int_conv2d_block_s8(const tarn_int_conv2d_s8_params *p, const int8_t *patches, int32_t count, const int8_t *w,
                                const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int32_t channel,
                                int8_t *y)
{
    const int32_t length = p->length;
    int32_t o;
    for (o = 0; o < p->outputs; o += 4) {
        const int32_t left = p->outputs - o;
        int8_t *out = y + o;
        if (count == 4) {
            tarn_int_quad s[4];
            const int8_t *x = patches;
            const int8_t *end = x + length;
            int32_t i;
            s[0] = tarn_int_quad_begin(q);
            s[1] = s[0];
            s[2] = s[0];
            s[3] = s[0];
            do {
                tarn_int_quad_mac(&s[0], w, x);
                tarn_int_quad_mac(&s[1], w, x + length);
                tarn_int_quad_mac(&s[2], w, x + 2 * length);
                tarn_int_quad_mac(&s[3], w, x + 3 * length);
                x += 4;
                w += 16;
            } while (x != end);
            for (i = 0; i < 4; ++i) {
                if (w_zero != NULL) {
                    int_conv2d_correct_s8(&s[i], w_zero, int_conv2d_sum_s8(patches + i * length, length));
                }
                tarn_int_quad_finish(&s[i], &p->requant, q, exceptions, channel, out, left);
                out += p->y_pitch;
            }
        } else {
            const int8_t *first = w;
            int32_t i;
            for (i = 0; i < count; ++i) {
                tarn_int_quad s = tarn_int_quad_begin(q);
                const int8_t *x = patches + i * length;
                const int8_t *end = x + length;
                w = first;
                do {
                    tarn_int_quad_mac(&s, w, x);
                    x += 4;
                    w += 16;
                } while (x != end);
                if (w_zero != NULL) {
                    int_conv2d_correct_s8(&s, w_zero, int_conv2d_sum_s8(patches + i * length, length));
                }
                tarn_int_quad_finish(&s, &p->requant, q, exceptions, channel, out, left);
                out += p->y_pitch;
            }
        }
        q += 12;
        channel += 4;
        w_zero = w_zero != NULL ? w_zero + 4 : NULL;
    }
}

TARN_API void tarn_int_conv2d_rest_s8(const tarn_int_conv2d_s8_params *p, const int8_t *w, const int32_t *q,
                                      const int32_t *w_zero, const int32_t *exceptions, int8_t *y, int32_t held,
                                      const int8_t *scratch)
{
    if (held > 0) {
        int_conv2d_block_s8(p, scratch, held, w, q, w_zero, exceptions, 0, y);
    }
}

TARN_API int32_t tarn_int_conv2d_columns_s8(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, const int8_t *w,
                                            const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                            int32_t first, int32_t end, int32_t held, int8_t *scratch)
{
    const int32_t quads = (p->outputs + 3) / 4;
    int32_t column = first * p->stride[1] - p->pad[1];
    int32_t pixel;
    for (pixel = first; pixel < end; ++pixel) {
        if (p->groups == 1) {
            int_conv2d_gather_s8(p, x, 0, column, scratch + held * p->length);
            if (++held == p->block) {
                int_conv2d_block_s8(p, scratch, held, w, q, w_zero, exceptions, 0, y);
                y += held * p->y_pitch;
                held = 0;
            }
        } else {
            int32_t group;
            for (group = 0; group < p->groups; ++group) {
                int_conv2d_gather_s8(p, x, group * p->inputs, column, scratch);
                int_conv2d_block_s8(p, scratch, 1, w + group * quads * 4 * p->length, q + group * quads * 12,
                                    w_zero != NULL ? w_zero + group * quads * 4 : NULL, exceptions, group * quads * 4,
                                    y + group * p->outputs);
            }
            y += p->y_pitch;
        }
        column += p->stride[1];
    }
    return held;
}

TARN_API void tarn_int_conv2d_line_s8(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, const int8_t *w,
                                      const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                      int32_t first, int32_t end, int8_t *scratch)
{
    const int32_t held = tarn_int_conv2d_columns_s8(p, x, w, q, w_zero, exceptions, y + first * p->y_pitch, first, end, 0,
                                                    scratch);
    tarn_int_conv2d_rest_s8(p, w, q, w_zero, exceptions, y + (end - held) * p->y_pitch, held, scratch);
}
