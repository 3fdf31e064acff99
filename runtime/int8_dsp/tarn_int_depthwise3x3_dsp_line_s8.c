/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_depthwise3x3_dsp_line_s8.h"
#include "tarn_int_clamp_s8.h"
#include "tarn_int_dsp_line3.h"

/* Columns beside the lines. */
TARN_SMALL TARN_NOINLINE static void int_depthwise3x3_dsp_fill_s8(int16_t *d, int32_t code, int32_t count)
{
    int16_t *d_at = d;
    int32_t left;
    for (left = 16 * count; left > 0; --left) {
        *d_at++ = (int16_t)code;
    }
}

/* What weights with zero points meet: the sum of three lines, in four channels of `count` columns. */
static void int_depthwise3x3_dsp_sum_s8(int16_t *d, int32_t count)
{
    int16_t *d_at = d;
    const int16_t *end = d_at + ((ptrdiff_t)16 * count);
    while (d_at != end) {
        d_at[3] = (int16_t)(d_at[0] + d_at[1] + d_at[2]);
        d_at += 4;
    }
}

TARN_NOINLINE TARN_API void tarn_int_depthwise3x3_dsp_line_s8(const tarn_int_depthwise3x3_dsp_s8_params *p, const int8_t *const *x,
                                                const int32_t *w, const int32_t *q, const int32_t *exceptions, int8_t *y,
                                                int32_t first, int32_t end, int32_t *scratch)
{
    int8_t *y_at = y;
    int16_t *columns = (int16_t *)scratch;
    const int32_t begin = (first * p->stride[1]) - p->pad[1];
    const int32_t count = ((end - first - 1) * p->stride[1]) + 3;
    const int32_t before = (begin < 0) ? -begin : 0;
    const int32_t left = (before < count) ? before : count;
    const int32_t room = ((p->in_pixels - begin) < count) ? (p->in_pixels - begin) : count;
    const int32_t inside = (room > left) ? (room - left) : 0;
    const uint32_t zeros = 0x01010101u * (uint8_t)p->zero;
    tarn_int_dsp_line s;
    tarn_int_dsp_lines lines;
    const ptrdiff_t pitches = (ptrdiff_t)(end - first) * p->y_pitch;
    const ptrdiff_t pairs = (p->stride[1] <= TARN_INT_DSP_PAIRED) ? ((ptrdiff_t)((end - first) & ~1) * p->y_pitch) : 0;
    int32_t channel = 0;
    /* What fours leave comes first, from columns of four. */
    int32_t n = ((p->channels - 1) & 3) + 1;
    int32_t i;
    if (first >= end) {
        return;
    }
    for (i = 0; i < 3; ++i) {
        lines.from[i] = (x[i] != NULL) ? (x[i] + ((ptrdiff_t)(begin + left) * p->x_pitch)) : (const int8_t *)&zeros;
        lines.step[i] = (x[i] != NULL) ? p->x_pitch : 0;
    }
    lines.d = columns + ((ptrdiff_t)16 * left);
    lines.end = lines.d + ((ptrdiff_t)16 * inside);
    int_depthwise3x3_dsp_fill_s8(columns, p->zero, left);
    int_depthwise3x3_dsp_fill_s8(lines.end, p->zero, count - left - inside);
    y_at += (ptrdiff_t)first * p->y_pitch;
    s.pre = p->requant.pre;
    s.mask = p->requant.mask;
    s.post = p->requant.post;
    s.pitch = p->y_pitch;
    s.p = &p->requant;
    s.exceptions = exceptions;
    s.stride = 32 * p->stride[1];
    s.begin = 0;
    s.x = columns;
    s.x_back = ((end - first) * s.stride) - 8;
    s.y_back = (int32_t)pitches - 1;
    while (channel < p->channels) {
        lines.channel = channel;
        if (inside > 0) {
            tarn_int_dsp_columns(&lines);
        }
        if (p->sums != 0) {
            int_depthwise3x3_dsp_sum_s8(columns, count);
        }
        s.channel_end = channel + n;
        s.y = y_at + channel;
        s.y_end = s.y + pitches;
        s.y_pairs = s.y + pairs;
        s.y_last = s.y_end + n;
        s.q = q + ((ptrdiff_t)3 * channel);
        tarn_int_dsp_line3(&s, w + ((ptrdiff_t)3 * channel));
        channel += n;
        n = 4;
    }
    tarn_int_clamp_s8(&p->requant, y_at, end - first, p->channels, p->y_pitch);
}
