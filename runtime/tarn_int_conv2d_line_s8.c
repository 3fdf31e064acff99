/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_line_s8.h"
#include "tarn_int_dots.h"

/* n codes, `step` elements apart, some of them with their highest bit changed. */
TARN_FORCE_INLINE int8_t *int_conv2d_spread_s8(int8_t *d, int32_t step, const int8_t *from, int32_t n, int32_t flip)
{
    const int8_t *end = from + (n & ~3);
    while (from != end) {
        d[0] = (int8_t)(from[0] ^ flip);
        d[step] = (int8_t)(from[1] ^ flip);
        d[2 * step] = (int8_t)(from[2] ^ flip);
        d[3 * step] = (int8_t)(from[3] ^ flip);
        d += 4 * step;
        from += 4;
    }
    end += n & 3;
    while (from != end) {
        *d = (int8_t)(*from++ ^ flip);
        d += step;
    }
    return d;
}

/* One of four patches, or the only one. */
static int8_t *int_conv2d_copy_s8(int8_t *d, int32_t step, const int8_t *from, int32_t n, int32_t flip)
{
    return step == 4 ? int_conv2d_spread_s8(d, 4, from, n, 0) : int_conv2d_spread_s8(d, 1, from, n, flip);
}

static int8_t *int_conv2d_fill_s8(int8_t *d, int32_t step, int32_t code, int32_t n)
{
    for (; n > 0; --n) {
        *d = (int8_t)code;
        d += step;
    }
    return d;
}

/* Copies what lies under the kernel at column `column`, for the group whose channels begin at `offset`. Unsigned codes lie 128
 * higher. */
static void int_conv2d_gather_s8(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, int32_t offset, int32_t column,
                                 int32_t is_unsigned, int8_t *d)
{
    const int32_t inputs = p->inputs;
    const int32_t joined = p->x_pitch == inputs && p->dilation[1] == 1;
    const int32_t flip = is_unsigned != 0 ? -128 : 0;
    const int32_t step = p->block;
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        const int8_t *line = x[row];
        if (joined != 0 && line != NULL && column >= 0 && column + p->taps <= p->in_pixels) {
            d = int_conv2d_copy_s8(d, step, line + column * inputs, p->taps * inputs, flip);
        } else {
            int32_t tap;
            for (tap = 0; tap < p->taps; ++tap) {
                const int32_t pixel = column + tap * p->dilation[1];
                if (line != NULL && pixel >= 0 && pixel < p->in_pixels) {
                    d = int_conv2d_copy_s8(d, step, line + pixel * p->x_pitch + offset, inputs, flip);
                } else {
                    d = int_conv2d_fill_s8(d, step, p->zero ^ flip, inputs);
                }
            }
        }
    }
    int_conv2d_fill_s8(d, step, 0, p->length - p->rows * p->taps * inputs);
}

static void int_conv2d_finish_s8(const tarn_int_conv2d_s8_params *p, const int32_t *sums, const int32_t *q, const int32_t *exceptions,
                                 int32_t channel, int8_t *y, int32_t count)
{
    const int8_t *end = y + (count < 4 ? count : 4);
    do {
        *y++ = (int8_t)tarn_requant(&p->requant, exceptions, channel, *sums++, q[4], q[8]);
        ++channel;
        ++q;
    } while (y != end);
}

#if TARN_INT_DOTS_MANY

/* One output of the patch whose sums stand `at` further on. */
#define INT_CONV2D_FINISH(at)                                                                             \
    do {                                                                                                  \
        const int32_t t = c + tarn_mulhi_s32((int32_t)((uint32_t)sum[at] << pre), m);                     \
        int32_t code = t >> post;                                                                         \
        code = code < lo ? lo : code;                                                                     \
        code = code > hi ? hi : code;                                                                     \
        if ((t & mask) == 0) {                                                                            \
            code = tarn_requant_near(&p->requant, exceptions, channel, sum[at], t);                       \
        }                                                                                                 \
        *to = (int8_t)code;                                                                               \
        to += pitch;                                                                                      \
    } while (0)

/* Four outputs, or fewer, of `patches` patches: what they share stays in registers. */
static void int_conv2d_finish_many_s8(const tarn_int_conv2d_s8_params *p, const int32_t *sums, int32_t patches, const int32_t *q,
                                      const int32_t *exceptions, int32_t channel, int8_t *y, int32_t count)
{
    const int32_t pre = p->requant.pre;
    const int32_t post = p->requant.post;
    const int32_t mask = p->requant.mask;
    const int32_t lo = p->requant.lo;
    const int32_t hi = p->requant.hi;
    const int32_t pitch = p->y_pitch;
    const int32_t end = channel + (count < 4 ? count : 4);
    do {
        const int32_t m = q[4];
        const int32_t c = q[8];
        const int32_t *sum = sums++;
        int8_t *to = y++;
        if (patches == 4) {
            INT_CONV2D_FINISH(0);
            INT_CONV2D_FINISH(4);
            INT_CONV2D_FINISH(8);
            INT_CONV2D_FINISH(12);
        } else {
            const int32_t *last = sum + 4 * patches;
            for (; sum != last; sum += 4) {
                INT_CONV2D_FINISH(0);
            }
        }
        ++q;
    } while (++channel != end);
}

/* All outputs of one group for `count` of four patches. */
static void int_conv2d_four_s8(const tarn_int_conv2d_s8_params *p, const int8_t *patches, int32_t count, const int8_t *w,
                               const int32_t *q, const int32_t *exceptions, int8_t *y)
{
    int32_t o;
    for (o = 0; o < p->outputs; o += 4) {
        int32_t sums[16];
        sums[0] = q[0];
        sums[1] = q[1];
        sums[2] = q[2];
        sums[3] = q[3];
        tarn_int_dots_four(sums, w, patches, p->length);
        int_conv2d_finish_many_s8(p, sums, count, q, exceptions, o, y + o, p->outputs - o);
        w += 4 * p->length;
        q += 12;
    }
}

#else

/* The same for as many stack bytes as one patch takes. */
static void int_conv2d_four_s8(const tarn_int_conv2d_s8_params *p, const int8_t *patches, int32_t count, const int8_t *w,
                               const int32_t *q, const int32_t *exceptions, int8_t *y)
{
    int32_t o;
    for (o = 0; o < p->outputs; o += 4) {
        int8_t *out = y + o;
        int32_t i;
        for (i = 0; i < count; ++i) {
            int32_t sums[4];
            sums[0] = q[0];
            sums[1] = q[1];
            sums[2] = q[2];
            sums[3] = q[3];
            tarn_int_dots_apart(sums, w, patches + i, p->length);
            int_conv2d_finish_s8(p, sums, q, exceptions, o, out, p->outputs - o);
            out += p->y_pitch;
        }
        w += 4 * p->length;
        q += 12;
    }
}

#endif

/* All outputs of one group for one patch. */
static void int_conv2d_one_s8(const tarn_int_conv2d_s8_params *p, const int8_t *patch, const int8_t *w, const int32_t *q,
                              const int32_t *w_zero, const int32_t *exceptions, int32_t channel, int8_t *y)
{
    uint32_t sum = 0;
    int32_t o;
    if (w_zero != NULL) {
        const uint8_t *x = (const uint8_t *)patch;
        const uint8_t *end = x + p->length;
        do {
            sum += (uint32_t)x[0] + x[1] + x[2] + x[3];
            x += 4;
        } while (x != end);
    }
    for (o = 0; o < p->outputs; o += 4) {
        int32_t sums[4];
        int32_t i;
        for (i = 0; i < 4; ++i) {
            sums[i] = q[i];
        }
        if (w_zero != NULL) {
            for (i = 0; i < 4; ++i) {
                sums[i] = (int32_t)((uint32_t)sums[i] - (uint32_t)*w_zero++ * sum);
            }
            tarn_int_dots_unsigned(sums, (const uint8_t *)w, (const uint8_t *)patch, p->length);
        } else {
            tarn_int_dots(sums, w, patch, p->length);
        }
        int_conv2d_finish_s8(p, sums, q, exceptions, channel, y + o, p->outputs - o);
        w += 4 * p->length;
        q += 12;
        channel += 4;
    }
}

TARN_API void tarn_int_conv2d_rest_s8(const tarn_int_conv2d_s8_params *p, const int8_t *w, const int32_t *q,
                                      const int32_t *exceptions, int8_t *y, int32_t held, const int8_t *scratch)
{
    if (held > 0) {
        int_conv2d_four_s8(p, scratch, held, w, q, exceptions, y);
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
        if (p->block == 4) {
            int_conv2d_gather_s8(p, x, 0, column, 0, scratch + held);
            if (++held == 4) {
                int_conv2d_four_s8(p, scratch, 4, w, q, exceptions, y);
                y += 4 * p->y_pitch;
                held = 0;
            }
        } else {
            int32_t group;
            for (group = 0; group < p->groups; ++group) {
                int_conv2d_gather_s8(p, x, group * p->inputs, column, w_zero != NULL, scratch);
                int_conv2d_one_s8(p, scratch, w + group * quads * 4 * p->length, q + group * quads * 12,
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
    tarn_int_conv2d_rest_s8(p, w, q, exceptions, y + (end - held) * p->y_pitch, held, scratch);
}
