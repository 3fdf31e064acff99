/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_four_line_s8.h"
#include "tarn_int_dots.h"

TARN_NOINLINE static void int_conv2d_apart_s8(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, int32_t column, int8_t *d)
{
    int_conv2d_gather_s8(p, x, 0, column, 4, 0, d);
}

#if TARN_INT_DOTS_MANY

/* One output of the patch whose sums stand `at` further on. */
#define INT_CONV2D_FINISH(at)                                                                             \
    do {                                                                                                  \
        const int32_t t = c + tarn_mulhi_s32((int32_t)((uint32_t)sum[at] << pre), m);                     \
        int32_t code = t >> post;                                                                         \
        code = (code < lo) ? lo : code;                                                                     \
        code = (code > hi) ? hi : code;                                                                     \
        if ((t & mask) == 0) {                                                                            \
            code = tarn_requant_near(&p->requant, exceptions, channel, sum[at], t, m);                    \
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
    const int32_t end = channel + ((count < 4) ? count : 4);
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
            const int32_t *last = sum + ((ptrdiff_t)4 * patches);
            for (; sum != last; sum += 4) {
                INT_CONV2D_FINISH(0);
            }
        }
        ++q;
    } while (++channel != end);
}

/* All outputs for `count` of four patches. */
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
        w += (ptrdiff_t)4 * p->length;
        q += 12;
    }
}

#else

/* The same for as many stack bytes as one patch takes. */
static void int_conv2d_four_s8(const tarn_int_conv2d_s8_params *p, const int8_t *patches, int32_t count, const int8_t *w,
                               const int32_t *q, const int32_t *exceptions, int8_t *y)
{
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    int32_t o;
    for (o = 0; o < p->outputs; o += 4) {
        int8_t *out = y + o;
        int32_t i;
        for (i = 0; i < count; ++i) {
            int32_t sums[4];
            sums[0] = q_at[0];
            sums[1] = q_at[1];
            sums[2] = q_at[2];
            sums[3] = q_at[3];
            tarn_int_dots_apart(sums, w_at, patches + i, p->length);
            int_conv2d_finish_s8(p, sums, q_at, exceptions, o, out, p->outputs - o);
            out += p->y_pitch;
        }
        w_at += 4 * p->length;
        q_at += 12;
    }
}

#endif

TARN_API void tarn_int_conv2d_four_rest_s8(const tarn_int_conv2d_s8_params *p, const int8_t *w, const int32_t *q,
                                           const int32_t *exceptions, int8_t *y, int32_t held, const int8_t *scratch)
{
    if (held > 0) {
        int_conv2d_four_s8(p, scratch, held, w, q, exceptions, y);
    }
}

TARN_API int32_t tarn_int_conv2d_four_columns_s8(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, const int8_t *w,
                                                 const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first,
                                                 int32_t end, int32_t held, int8_t *scratch)
{
    int8_t *y_at = y;
    int32_t held_now = held;
    int32_t column = (first * p->stride[1]) - p->pad[1];
    int32_t pixel;
    for (pixel = first; pixel < end; ++pixel) {
        int_conv2d_apart_s8(p, x, column, scratch + held_now);
        if (++held_now == 4) {
            int_conv2d_four_s8(p, scratch, 4, w, q, exceptions, y_at);
            y_at += (ptrdiff_t)4 * p->y_pitch;
            held_now = 0;
        }
        column += p->stride[1];
    }
    return held_now;
}

TARN_API void tarn_int_conv2d_four_line_s8(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, const int8_t *w,
                                           const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first, int32_t end,
                                           int8_t *scratch)
{
    const int32_t held = tarn_int_conv2d_four_columns_s8(p, x, w, q, exceptions, y + ((ptrdiff_t)first * p->y_pitch), first, end, 0, scratch);
    tarn_int_conv2d_four_rest_s8(p, w, q, exceptions, y + ((ptrdiff_t)(end - held) * p->y_pitch), held, scratch);
}
