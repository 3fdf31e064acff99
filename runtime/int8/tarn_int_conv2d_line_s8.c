/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_line_s8.h"
#include "tarn_int_conv2d_avx2.h"
#include "tarn_int_dots.h"

#if !TARN_INT_AVX2

/* Unsigned codes lie 128 higher. */
TARN_NOINLINE static void int_conv2d_patch_s8(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, int32_t offset,
                                              int32_t column, int32_t is_unsigned, int8_t *d)
{
    int_conv2d_gather_s8(p, x, offset, column, 1, (is_unsigned != 0) ? -128 : 0, d);
}

/* All outputs of one group for one patch. */
static void int_conv2d_one_s8(const tarn_int_conv2d_s8_params *p, const int8_t *patch, const int8_t *w, const int32_t *q,
                              const int32_t *w_zero, const int32_t *exceptions, int32_t channel, int8_t *y)
{
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    const int32_t *w_zero_at = w_zero;
    int32_t channel_at = channel;
    uint32_t sum = 0;
    int32_t o;
    if (w_zero_at != NULL) {
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
            sums[i] = q_at[i];
        }
        if (w_zero_at != NULL) {
            for (i = 0; i < 4; ++i) {
                sums[i] = (int32_t)((uint32_t)sums[i] - ((uint32_t)*w_zero_at++ * sum));
            }
            tarn_int_dots_unsigned(sums, (const uint8_t *)w_at, (const uint8_t *)patch, p->length);
        } else {
            tarn_int_dots(sums, w_at, patch, p->length);
        }
        int_conv2d_finish_s8(p, sums, q_at, exceptions, channel_at, y + o, p->outputs - o);
        w_at += (ptrdiff_t)4 * p->length;
        q_at += 12;
        channel_at += 4;
    }
}

#endif

TARN_API void tarn_int_conv2d_line_s8(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, const int8_t *w,
                                      const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                      int32_t first, int32_t end, int8_t *scratch)
{
#if TARN_INT_AVX2
    tarn_int_conv2d_avx2_line(p, x, w, q, w_zero, exceptions, y, first, end, scratch);
#else
    int8_t *y_at = y;
    const int32_t quads = (p->outputs + 3) / 4;
    int32_t column = (first * p->stride[1]) - p->pad[1];
    int32_t pixel;
    y_at += (ptrdiff_t)first * p->y_pitch;
    for (pixel = first; pixel < end; ++pixel) {
        int32_t group;
        for (group = 0; group < p->groups; ++group) {
            int_conv2d_patch_s8(p, x, group * p->inputs, column, w_zero != NULL, scratch);
            int_conv2d_one_s8(p, scratch, w + ((ptrdiff_t)group * quads * 4 * p->length), q + ((ptrdiff_t)group * quads * 12),
                              (w_zero != NULL) ? (w_zero + ((ptrdiff_t)group * quads * 4)) : NULL, exceptions, group * quads * 4,
                              y_at + ((ptrdiff_t)group * p->outputs));
        }
        y_at += p->y_pitch;
        column += p->stride[1];
    }
#endif
}
