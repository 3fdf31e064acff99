/* SPDX-License-Identifier: MIT-0 */
#include "tarn_conv_line_f32.h"
#include "tarn_block_f32.h"

TARN_API void tarn_conv_line_f32(const tarn_conv_line_f32_params *p, const tarn_f32 *const *rows, const tarn_f32 *w,
                                 const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y, int32_t first, int32_t end,
                                 int32_t block)
{
    static const tarn_quad_f32 zero = {0, 0, 0, 0};
    const tarn_bounds_f32 bounds = tarn_make_bounds_f32(p->lo, p->hi);
    const int32_t inputs = p->inputs;
    const int32_t tap_step = p->dilation * p->x_pitch;
    /* Neighbouring taps whose channels lie side by side are one long run. */
    const int32_t joined = tap_step == inputs;
    const int32_t span = ((p->taps - 1) * p->dilation) + 1;
    int32_t pixel = first;
    while (pixel < end) {
        const int32_t at = (pixel * p->stride) - p->pad;
        const int32_t four = (block != 0) && (at >= 0) && ((pixel + 4) <= end) && ((at + (3 * p->stride) + span) <= p->in_pixels);
        int32_t tap0 = 0;
        int32_t tap1 = p->taps;
        const tarn_f32 *weights = w;
        const tarn_f32 *bias = b;
        int32_t group;
        if (four == 0) {
            while ((tap0 < tap1) && ((at + (tap0 * p->dilation)) < 0)) {
                ++tap0;
            }
            while ((tap1 > tap0) && ((at + ((tap1 - 1) * p->dilation)) >= p->in_pixels)) {
                --tap1;
            }
        }
        for (group = 0; group < p->groups; ++group) {
            const int32_t x_offset = (at * p->x_pitch) + (group * inputs);
            const int32_t y_offset = (pixel * p->y_pitch) + (group * p->outputs);
            const int32_t r_offset = (pixel * p->r_pitch) + (group * p->outputs);
            int32_t o;
            for (o = 0; o < p->outputs; o += 4) {
                const tarn_f32 *rest = (r != NULL) ? (r + r_offset + o) : NULL;
                const int32_t count = p->outputs - o;
                tarn_f32 *out = y + y_offset + o;
                tarn_quad_f32 s0 = (bias != NULL) ? tarn_quad_load_f32(bias) : zero;
                int32_t row;
                if (four != 0) {
                    tarn_quad_f32 s1 = s0;
                    tarn_quad_f32 s2 = s0;
                    tarn_quad_f32 s3 = s0;
                    for (row = 0; row < p->rows; ++row) {
                        if (rows[row] != NULL) {
                            const tarn_f32 *x = rows[row] + x_offset;
                            if (joined != 0) {
                                tarn_block4_f32(&s0, &s1, &s2, &s3, x, p->stride * p->x_pitch, weights,
                                                p->taps * inputs);
                            } else {
                                const tarn_f32 *wt = weights;
                                int32_t tap;
                                for (tap = 0; tap < p->taps; ++tap) {
                                    tarn_block4_f32(&s0, &s1, &s2, &s3, x, p->stride * p->x_pitch, wt, inputs);
                                    x += tap_step;
                                    wt += (ptrdiff_t)4 * inputs;
                                }
                            }
                        }
                        weights += (ptrdiff_t)4 * p->taps * inputs;
                    }
                    tarn_quad_finish_f32(s0, rest, bounds, out, count);
                    out += p->y_pitch;
                    rest = (r != NULL) ? (rest + p->r_pitch) : NULL;
                    tarn_quad_finish_f32(s1, rest, bounds, out, count);
                    out += p->y_pitch;
                    rest = (r != NULL) ? (rest + p->r_pitch) : NULL;
                    tarn_quad_finish_f32(s2, rest, bounds, out, count);
                    out += p->y_pitch;
                    rest = (r != NULL) ? (rest + p->r_pitch) : NULL;
                    tarn_quad_finish_f32(s3, rest, bounds, out, count);
                } else {
                    for (row = 0; row < p->rows; ++row) {
                        if ((rows[row] != NULL) && (tap0 < tap1)) {
                            const tarn_f32 *x = rows[row] + (x_offset + (tap0 * tap_step));
                            const tarn_f32 *wt = weights + ((ptrdiff_t)4 * tap0 * inputs);
                            if (joined != 0) {
                                tarn_block1_f32(&s0, x, wt, (tap1 - tap0) * inputs);
                            } else {
                                int32_t tap;
                                for (tap = tap0; tap < tap1; ++tap) {
                                    tarn_block1_f32(&s0, x, wt, inputs);
                                    x += tap_step;
                                    wt += (ptrdiff_t)4 * inputs;
                                }
                            }
                        }
                        weights += (ptrdiff_t)4 * p->taps * inputs;
                    }
                    tarn_quad_finish_f32(s0, rest, bounds, out, count);
                }
                bias = (bias != NULL) ? (bias + 4) : NULL;
            }
        }
        pixel += (four != 0) ? 4 : 1;
    }
}
