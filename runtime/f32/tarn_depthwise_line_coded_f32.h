/* SPDX-License-Identifier: MIT-0
 * tarn_depthwise_line_f32() over coded weights (see tarn_coded_f32.h), as text for its kernels: channels are the groups of
 * the params, each of one input and one output. */
#ifndef TARN_DEPTHWISE_LINE_CODED_F32_H
#define TARN_DEPTHWISE_LINE_CODED_F32_H

#include "tarn_conv_line_coded_f32.h"

TARN_BEGIN_C

/* Adds the products of one tap; only the first `channels` (1 to 4) of x are there. */
TARN_FORCE_INLINE void tarn_depthwise_coded_tap_f32(tarn_quad_f32 *s, const tarn_quad_f32 *w, const tarn_f32 *x, int32_t channels)
{
    s->a += w->a * x[0];
    if (channels >= 4) {
        s->b += w->b * x[1];
        s->c += w->c * x[2];
        s->d += w->d * x[3];
    } else {
        if (channels > 1) {
            s->b += w->b * x[1];
        }
        if (channels > 2) {
            s->c += w->c * x[2];
        }
    }
}

/* Sums of up to four channels of `pixels` (1 or 4) pixels; x_offset: of the first pixel's first tap. */
TARN_FORCE_INLINE void tarn_depthwise_coded_sums_f32(int32_t bits, const tarn_conv_line_coded_f32_params *p,
                                                     const tarn_f32 *const *rows, const tarn_coded_rows_f32 *w, int32_t pixels,
                                                     int32_t channels, int32_t x_offset, int32_t tap0, int32_t tap1,
                                                     tarn_quad_f32 *s)
{
    const int32_t pixel_step = p->stride * p->x_pitch;
    tarn_coded_block_f32 b = tarn_coded_block_at_f32(bits, w, 0);
    int32_t number = 0;
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        int32_t tap;
        for (tap = tap0; (rows[row] != NULL) && (tap < tap1); ++tap) {
            const tarn_f32 *x = rows[row] + (x_offset + (tap * p->dilation * p->x_pitch));
            const int32_t k = (row * p->taps) + tap;
            tarn_quad_f32 q;
            if ((bits != TARN_CODED_W16) && (k >= ((number + 1) * w->block))) {
                number = k / w->block;
                b = tarn_coded_block_at_f32(bits, w, number);
            }
            q = tarn_coded_quad_f32(bits, w->codes + ((ptrdiff_t)k * TARN_CODED_BYTES(bits)), &b);
            tarn_depthwise_coded_tap_f32(&s[0], &q, x, channels);
            if (pixels > 1) {
                tarn_depthwise_coded_tap_f32(&s[1], &q, x + pixel_step, channels);
                tarn_depthwise_coded_tap_f32(&s[2], &q, x + ((ptrdiff_t)2 * pixel_step), channels);
                tarn_depthwise_coded_tap_f32(&s[3], &q, x + ((ptrdiff_t)3 * pixel_step), channels);
            }
        }
    }
}

TARN_FORCE_INLINE void tarn_depthwise_line_coded_f32(int32_t bits, const tarn_conv_line_coded_f32_params *p,
                                                     const tarn_f32 *const *rows, const uint8_t *w, const uint16_t *scale,
                                                     const int8_t *zero, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y,
                                                     int32_t first, int32_t end, int32_t block)
{
    static const tarn_quad_f32 none = {0, 0, 0, 0};
    const tarn_bounds_f32 bounds = tarn_make_bounds_f32(p->lo, p->hi);
    const int32_t span = ((p->taps - 1) * p->dilation) + 1;
    int32_t pixel = first;
    while (pixel < end) {
        const int32_t at = (pixel * p->stride) - p->pad;
        const int32_t four = (block != 0) && (at >= 0) && ((pixel + 4) <= end) && ((at + (3 * p->stride) + span) <= p->in_pixels);
        const int32_t count = (four != 0) ? 4 : 1;
        int32_t tap0 = 0;
        int32_t tap1 = p->taps;
        int32_t c;
        if (four == 0) {
            while ((tap0 < tap1) && ((at + (tap0 * p->dilation)) < 0)) {
                ++tap0;
            }
            while ((tap1 > tap0) && ((at + ((tap1 - 1) * p->dilation)) >= p->in_pixels)) {
                --tap1;
            }
        }
        for (c = 0; c < p->groups; c += 4) {
            const tarn_coded_rows_f32 four_rows = tarn_coded_rows_at_f32(bits, &p->w, w, scale, zero, c / 4);
            const int32_t channels = p->groups - c;
            const int32_t x_offset = (at * p->x_pitch) + c;
            tarn_quad_f32 s[4];
            int32_t i;
            s[0] = (b != NULL) ? tarn_quad_load_f32(b + c) : none;
            s[1] = s[0];
            s[2] = s[0];
            s[3] = s[0];
            if (four != 0) {
                tarn_depthwise_coded_sums_f32(bits, p, rows, &four_rows, 4, channels, x_offset, 0, p->taps, s);
            } else {
                tarn_depthwise_coded_sums_f32(bits, p, rows, &four_rows, 1, channels, x_offset, tap0, tap1, s);
            }
            for (i = 0; i < count; ++i) {
                const tarn_f32 *rest = (r != NULL) ? (r + ((ptrdiff_t)(pixel + i) * p->r_pitch) + c) : NULL;
                tarn_quad_finish_f32(s[i], rest, bounds, y + ((ptrdiff_t)(pixel + i) * p->y_pitch) + c, channels);
            }
        }
        pixel += count;
    }
}

TARN_END_C
#endif
