/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_depthwise3x3_mve_line_s8.h"
#include "tarn_int_mve_columns.h"

#define INT_DEPTHWISE3X3_MVE_SINGLES ((TARN_LESS_CODE != 0) ? 0 : 2)

/* The columns of up to sixteen channels from `channel` on: `count` of them, the first at `begin`. */
static void int_depthwise3x3_mve_gather_s8(const tarn_int_depthwise3x3_mve_s8_params *p, const int8_t *const *x, int32_t begin,
                                           int32_t count, int32_t channel, int8_t *d)
{
    int8_t *d_at = d;
    const int32_t outside = (begin < 0) ? -begin : 0;
    const int32_t left = (outside < count) ? outside : count;
    const int32_t room = ((p->in_pixels - begin) < count) ? (p->in_pixels - begin) : count;
    const int32_t inside = (room > left) ? (room - left) : 0;
    const int8_t *from[3];
    const int8_t *beside[3];
    const int32_t none[3] = {0, 0, 0};
    int32_t step[3];
    int8_t zeros[16];
    int32_t i;
    tarn_int_mve_fill(zeros, p->zero, 16);
    for (i = 0; i < 3; ++i) {
        const int32_t there = (x[i] != NULL) && (inside != 0);
        from[i] = (there != 0) ? (x[i] + ((ptrdiff_t)(begin + left) * p->x_pitch) + channel) : zeros;
        step[i] = (there != 0) ? p->x_pitch : 0;
        beside[i] = zeros;
    }
    d_at = tarn_int_mve_columns(d_at, beside, none, left, p->channels);
    d_at = tarn_int_mve_columns(d_at, from, step, inside, p->channels);
    tarn_int_mve_columns(d_at, beside, none, count - left - inside, p->channels);
}

/* A pixel of 4 * `fours` channels. */
static void int_depthwise3x3_mve_pixel_s8(const tarn_int_mve_line *s, int32_t pixel, int32_t fours)
{
    const int32_t *q = s->q;
    if (tarn_int_mve_pixel3(s, pixel, fours) == 0) {
        for (; q != s->q_end; q += 3) {
            tarn_int_mve_near3(s, q, pixel, pixel + 1);
        }
    }
}

TARN_API void tarn_int_depthwise3x3_mve_line_s8(const tarn_int_depthwise3x3_mve_s8_params *p, const int8_t *const *x,
                                                const int8_t *w, const int32_t *q, const int32_t *exceptions, int8_t *y,
                                                int32_t first, int32_t end, int32_t *scratch)
{
    int8_t *y_at = y;
    int32_t first_at = first;
    const int32_t last = (p->channels > 16) ? (p->channels - 16) : 0;
    const int32_t of_each = (p->channels < 16) ? p->channels : 16;
    const int32_t fours = ((of_each % 4) == 0) ? (of_each / 4) : 0;
    tarn_int_mve_line s;
    s.down = -p->requant.post;
    s.pitch = p->y_pitch;
    s.pre = p->requant.pre;
    s.mask = p->requant.mask;
    s.columns = (const int8_t *)scratch;
    s.stride = p->stride[1];
    s.p = &p->requant;
    s.exceptions = exceptions;
    y_at += (ptrdiff_t)first_at * p->y_pitch;
    while (first_at < end) {
        const int32_t n = ((end - first_at) < p->piece) ? (end - first_at) : p->piece;
        const int32_t begin = (first_at * p->stride[1]) - p->pad[1];
        int32_t c = 0;
        int32_t by_fours;
        int32_t i;
        s.pixels = n;
        /* One pixel or two behind whole fours go by themselves, many channels at a time. */
        by_fours = ((n % 4) <= INT_DEPTHWISE3X3_MVE_SINGLES) && (fours != 0) ? (n - (n % 4)) : n;
        s.groups = (by_fours - 1) / 4;
        s.tail = by_fours - (4 * s.groups);
        s.back = 4 - (256 * p->stride[1] * (s.groups + 1));
        for (;;) {
            int_depthwise3x3_mve_gather_s8(p, x, begin, ((n - 1) * p->stride[1]) + 3, c, (int8_t *)scratch);
            s.y = y_at + c;
            s.w = w + ((ptrdiff_t)16 * c);
            s.q = q + ((ptrdiff_t)3 * c);
            s.q_end = s.q + ((p->channels < 16) ? (3 * p->channels) : 48);
            s.channel = c;
            if (by_fours != 0) {
                tarn_int_mve_line3(&s);
            }
            for (i = by_fours; i < n; ++i) {
                int_depthwise3x3_mve_pixel_s8(&s, i, fours);
            }
            if (c == last) {
                break;
            }
            c = ((c + 16) < last) ? (c + 16) : last;
        }
        tarn_int_mve_clamp(&p->requant, y_at, p->channels, p->y_pitch, n);
        y_at += (ptrdiff_t)n * p->y_pitch;
        first_at += n;
    }
}
