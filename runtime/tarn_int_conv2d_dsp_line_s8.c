/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_dsp_line_s8.h"
#include "tarn_int_dense_dsp_s8.h"
#include "tarn_int_dsp.h"

/* n codes of the zero point, four at a time. */
TARN_NOINLINE static int16_t *int_conv2d_dsp_fill_s8(int16_t *d, int32_t code, int32_t n)
{
    for (; n > 0; n -= 4) {
        d[0] = (int16_t)code;
        d[1] = (int16_t)code;
        d[2] = (int16_t)code;
        d[3] = (int16_t)code;
        d += 12;
    }
    return d;
}

/* Channels in fours: widened straight from the image. */
TARN_NOINLINE static void int_conv2d_dsp_gather_s8(const tarn_int_conv2d_dsp_s8_params *p, const int8_t *const *x, int32_t column, int16_t *d)
{
    const int32_t inputs = p->inputs;
    const int32_t n = p->taps * inputs;
    int32_t row = p->rows;
    do {
        const int8_t *line = *x++;
        if (line == NULL) {
            d = int_conv2d_dsp_fill_s8(d, p->zero, n);
        } else {
            if (p->x_pitch == inputs && p->dilation[1] == 1 && column >= 0 && column + p->taps <= p->in_pixels) {
                d = tarn_int_dsp_widen(d, line + column * inputs, n);
            } else {
                int32_t pixel = column;
                int32_t tap = p->taps;
                do {
                    if (pixel >= 0 && pixel < p->in_pixels) {
                        d = tarn_int_dsp_widen(d, line + pixel * p->x_pitch, inputs);
                    } else {
                        d = int_conv2d_dsp_fill_s8(d, p->zero, inputs);
                    }
                    pixel += p->dilation[1];
                } while (--tap != 0);
            }
        }
    } while (--row != 0);
    int_conv2d_dsp_fill_s8(d, 0, p->length - p->rows * n);
}

/* Any channels: copied first. */
TARN_NOINLINE static void int_conv2d_dsp_collect_s8(const tarn_int_conv2d_dsp_s8_params *p, const int8_t *const *x, int32_t column, int8_t *bytes)
{
    const int32_t inputs = p->inputs;
    const int32_t joined =
        p->x_pitch == inputs && p->dilation[1] == 1 && column >= 0 && column + p->taps <= p->in_pixels;
    int8_t *to = bytes;
    int32_t row;
    int32_t i;
    for (row = 0; row < p->rows; ++row) {
        const int8_t *line = x[row];
        if (joined != 0 && line != NULL) {
            const int8_t *from = line + column * inputs;
            i = p->taps * inputs;
            do {
                *to++ = *from++;
            } while (--i != 0);
        } else {
            int32_t pixel = column;
            int32_t tap;
            for (tap = 0; tap < p->taps; ++tap) {
                if (line != NULL && pixel >= 0 && pixel < p->in_pixels) {
                    const int8_t *from = line + pixel * p->x_pitch;
                    for (i = 0; i < inputs; ++i) {
                        to[i] = from[i];
                    }
                } else {
                    for (i = 0; i < inputs; ++i) {
                        to[i] = (int8_t)p->zero;
                    }
                }
                to += inputs;
                pixel += p->dilation[1];
            }
        }
    }
    while (to != bytes + p->length) {
        *to++ = 0;
    }
}

/* What weights with zero points meet: the patch's sum, in pieces of 16 bits, each of them twice. */
TARN_NOINLINE static void int_conv2d_dsp_sum_s8(const tarn_int_conv2d_dsp_s8_params *p, int16_t *d)
{
    int32_t groups = (p->rows * p->taps * p->inputs + 3) / 4;
    int32_t sum = 0;
    int32_t i;
    do {
        sum += d[0] + d[1] + d[2] + d[3];
        d += 12;
    } while (--groups != 0);
    for (i = 0; i < p->sums; ++i) {
        const int32_t most = sum > 32767 ? 32767 : sum;
        const int32_t piece = most < -32767 ? -32767 : most;
        /* Elements 0 and 1, or 2 and 3 of four: these stand as 0, 2, 1, 3. */
        d[i & 1] = (int16_t)piece;
        d[(i & 1) + 2] = (int16_t)piece;
        sum -= piece;
        if ((i & 1) != 0) {
            d += 12;
        }
    }
}

/* All outputs of `count` patches, 1 to 3. */
static void int_conv2d_dsp_block_s8(const tarn_int_conv2d_dsp_s8_params *p, const int16_t *x, int32_t count, const int8_t *w,
                                    const int32_t *q, const int32_t *exceptions, int8_t *y)
{
    tarn_int_dsp_block_state s;
    const int32_t even = p->outputs & ~1;
    s.x = x;
    s.end = x + 3 * p->length;
    s.q = q;
    s.y = y;
    s.second = count > 1 ? p->y_pitch : 0;
    s.third = count > 2 ? 2 * p->y_pitch : 0;
    s.y_end = y + even;
    s.pre = p->requant.pre;
    s.mask = p->requant.mask;
    s.post = p->requant.post;
    s.p = &p->requant;
    s.exceptions = exceptions;
    s.y_first = y;
    if (p->requant.lo <= -128 && p->requant.hi >= 127 && even != 0) {
        tarn_int_dsp_block(&s, w);
        s.y = s.y_end;
        s.q += 3 * even;
        w += even * p->length;
    }
    for (; s.y != s.y_end; s.y += 2) {
        tarn_int_dsp_dot(&s, w);
        tarn_int_dsp_near(&s);
        s.q += 6;
        w += 2 * p->length;
    }
    if (even != p->outputs) {
        const int32_t m = s.q[2];
        const int32_t c = s.q[4];
        int32_t i;
        tarn_int_dsp_dot(&s, w);
        for (i = 0; i < count; ++i) {
            y[i * p->y_pitch + even] = (int8_t)tarn_requant(&p->requant, exceptions, even, s.sums[i], m, c);
        }
    }
}

TARN_API void tarn_int_conv2d_dsp_rest_s8(const tarn_int_conv2d_dsp_s8_params *p, const int32_t *w, const int32_t *q,
                                          const int32_t *exceptions, int8_t *y, int32_t held, const int32_t *scratch)
{
    if (held != 0) {
        int_conv2d_dsp_block_s8(p, (const int16_t *)scratch, held, (const int8_t *)w, q, exceptions, y);
    }
}

TARN_API int32_t tarn_int_conv2d_dsp_columns_s8(const tarn_int_conv2d_dsp_s8_params *p, const int8_t *const *x,
                                                const int32_t *w, const int32_t *q, const int32_t *exceptions, int8_t *y,
                                                int32_t first, int32_t end, int32_t held, int32_t *scratch,
                                                int8_t *bytes)
{
    const int8_t *weights = (const int8_t *)w;
    int16_t *wide = (int16_t *)scratch;
    /* A patch is one whole pixel. */
    const int32_t direct = bytes == NULL && p->rows == 1 && p->taps == 1 && p->length == p->inputs && p->pad[1] == 0 &&
                           x[0] != NULL && (p->out_pixels - 1) * p->stride[1] < p->in_pixels;
    int32_t column = first * p->stride[1] - p->pad[1];
    int32_t pixel;
    for (pixel = first; pixel < end; ++pixel) {
        if (bytes != NULL) {
            int_conv2d_dsp_collect_s8(p, x, column, bytes);
        }
        if (p->wide == 0) {
            tarn_int_dsp_outputs_s8(&p->requant, p->length, p->outputs, bytes, weights, q, exceptions, y);
            y += p->y_pitch;
        } else {
            if (direct != 0) {
                tarn_int_dsp_widen(wide + 4 * held, x[0] + column * p->x_pitch, p->inputs);
            } else if (bytes != NULL) {
                tarn_int_dsp_widen(wide + 4 * held, bytes, p->length);
            } else {
                int_conv2d_dsp_gather_s8(p, x, column, wide + 4 * held);
            }
            if (p->sums != 0) {
                int_conv2d_dsp_sum_s8(p, wide + 4 * held);
            }
            if (++held == 3) {
                int_conv2d_dsp_block_s8(p, wide, 3, weights, q, exceptions, y);
                y += 3 * p->y_pitch;
                held = 0;
            }
        }
        column += p->stride[1];
    }
    return held;
}

TARN_API void tarn_int_conv2d_dsp_line_s8(const tarn_int_conv2d_dsp_s8_params *p, const int8_t *const *x, const int32_t *w,
                                          const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first,
                                          int32_t end, int32_t *scratch, int8_t *bytes)
{
    const int32_t held = tarn_int_conv2d_dsp_columns_s8(p, x, w, q, exceptions, y + first * p->y_pitch, first, end, 0,
                                                        scratch, bytes);
    tarn_int_conv2d_dsp_rest_s8(p, w, q, exceptions, y + (end - held) * p->y_pitch, held, scratch);
}
