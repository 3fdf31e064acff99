/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_depthwise3x3_dsp_line_s8.h"
#include "tarn_int_dsp.h"

/* One line of output for four channels; s is set up for all but what differs between them. */
static void int_depthwise3x3_dsp_four_s8(const int8_t *w, const int32_t *q, tarn_int_dsp_line *s, const int16_t *columns)
{
    int32_t lane = 4;
    do {
        s->x = columns;
        s->begin = q[0];
        s->m = q[4];
        s->c = q[8];
        tarn_int_dsp_line3(s, w);
        ++s->channel;
        ++s->y;
        ++s->y_end;
        columns += 4;
        w += 12;
        ++q;
    } while (--lane != 0);
}

/* What weights with zero points meet: the sum of three lines, in four channels of `count` columns. */
TARN_NOINLINE static void int_depthwise3x3_dsp_sum_s8(int16_t *d, int32_t count)
{
    const int16_t *end = d + 16 * count;
    while (d != end) {
        d[3] = (int16_t)(d[0] + d[1] + d[2]);
        d += 4;
    }
}

/* Narrows what was clamped to int8 only. */
TARN_NOINLINE static void int_depthwise3x3_dsp_clamp_s8(const tarn_int_depthwise3x3_dsp_s8_params *p, int8_t *y, int32_t pixels)
{
    int32_t pixel;
    for (pixel = 0; pixel < pixels; ++pixel) {
        int32_t c;
        for (c = 0; c < p->channels; ++c) {
            y[c] = (int8_t)tarn_requant_clamp(&p->requant, y[c]);
        }
        y += p->y_pitch;
    }
}

TARN_API void tarn_int_depthwise3x3_dsp_line_s8(const tarn_int_depthwise3x3_dsp_s8_params *p, const int8_t *const *x,
                                                const int32_t *w, const int32_t *q, const int32_t *exceptions, int8_t *y,
                                                int32_t first, int32_t end, int32_t *scratch)
{
    int16_t *columns = (int16_t *)scratch;
    const int32_t begin = first * p->stride[1] - p->pad[1];
    const int32_t count = (end - first - 1) * p->stride[1] + 3;
    const int32_t left = begin < 0 ? -begin : 0;
    const int32_t room = p->in_pixels - begin < count ? p->in_pixels - begin : count;
    const int32_t inside = room > left ? room - left : 0;
    const int8_t *weights = (const int8_t *)w;
    int8_t zeros[4];
    const int8_t *from[3];
    int32_t step[3];
    tarn_int_dsp_line s;
    tarn_int_dsp_lines lines;
    int32_t c;
    int32_t i;
    if (first >= end) {
        return;
    }
    for (i = 0; i < 4; ++i) {
        zeros[i] = (int8_t)p->zero;
    }
    /* Beside the lines. */
    for (i = 0; i < 16 * (left < count ? left : count); ++i) {
        columns[i] = (int16_t)p->zero;
    }
    for (i += 16 * inside; i < 16 * count; ++i) {
        columns[i] = (int16_t)p->zero;
    }
    if (p->sums != 0) {
        int_depthwise3x3_dsp_sum_s8(columns, left < count ? left : count);
        int_depthwise3x3_dsp_sum_s8(columns + 16 * (left + inside), left + inside < count ? count - left - inside : 0);
    }
    for (i = 0; i < 3; ++i) {
        from[i] = x[i] != NULL ? x[i] + (begin + left) * p->x_pitch : zeros;
        step[i] = x[i] != NULL ? p->x_pitch : 0;
    }
    lines.a_step = step[0];
    lines.b_step = step[1];
    lines.c_step = step[2];
    lines.d = columns + 16 * left;
    lines.end = lines.d + 16 * inside;
    s.pre = p->requant.pre;
    s.mask = p->requant.mask;
    s.post = p->requant.post;
    s.pitch = p->y_pitch;
    s.p = &p->requant;
    s.exceptions = exceptions;
    s.stride = 32 * p->stride[1];
    s.channel = 0;
    y += first * p->y_pitch;
    s.y = y;
    s.y_end = y + (end - first) * p->y_pitch;
    for (c = 0; c < p->channels; c += 4) {
        lines.a = from[0];
        lines.b = from[1];
        lines.c = from[2];
        if (inside > 0) {
            tarn_int_dsp_columns(&lines);
            if (p->sums != 0) {
                int_depthwise3x3_dsp_sum_s8(lines.d, inside);
            }
        }
        int_depthwise3x3_dsp_four_s8(weights, q, &s, columns);
        from[0] += step[0] != 0 ? 4 : 0;
        from[1] += step[1] != 0 ? 4 : 0;
        from[2] += step[2] != 0 ? 4 : 0;
        weights += 48;
        q += 12;
    }
    if (p->requant.lo > -128 || p->requant.hi < 127) {
        int_depthwise3x3_dsp_clamp_s8(p, y, end - first);
    }
}
