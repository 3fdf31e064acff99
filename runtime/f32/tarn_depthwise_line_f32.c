/* SPDX-License-Identifier: MIT-0 */
#include "tarn_depthwise_line_f32.h"
#include "tarn_block_f32.h"

TARN_FORCE_INLINE void depthwise_tap_f32(tarn_quad_f32 *s, const tarn_quad_f32 *w, const tarn_f32 *x)
{
    s->a += w->a * tarn_load_f32(x[0]);
    s->b += w->b * tarn_load_f32(x[1]);
    s->c += w->c * tarn_load_f32(x[2]);
    s->d += w->d * tarn_load_f32(x[3]);
}

/* The last channels, when they are no four: one channel of one pixel. */
static tarn_acc_f32 depthwise_one_f32(const tarn_depthwise_line_f32_params *p, const tarn_f32 *const *rows, const tarn_f32 *w,
                            tarn_acc_f32 sum, int32_t offset, int32_t tap0, int32_t tap1)
{
    tarn_acc_f32 sum_at = sum;
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        if (rows[row] != NULL) {
            int32_t tap;
            for (tap = tap0; tap < tap1; ++tap) {
                sum_at += tarn_load_f32(w[(ptrdiff_t)4 * tap]) * tarn_load_f32(rows[row][offset + (tap * p->dilation * p->x_pitch)]);
            }
        }
        w += (ptrdiff_t)4 * p->taps;
    }
    return sum_at;
}

TARN_API void tarn_depthwise_line_f32(const tarn_depthwise_line_f32_params *p, const tarn_f32 *const *rows,
                                      const tarn_f32 *w, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y,
                                      int32_t first, int32_t end, int32_t block)
{
    static const tarn_quad_f32 zero = {0, 0, 0, 0};
    const tarn_bounds_f32 bounds = tarn_make_bounds_f32(p->lo, p->hi);
    const int32_t tap_step = p->dilation * p->x_pitch;
    const int32_t pixel_step = p->stride * p->x_pitch;
    const int32_t span = ((p->taps - 1) * p->dilation) + 1;
    int32_t pixel = first;
    while (pixel < end) {
        const int32_t at = (pixel * p->stride) - p->pad;
        const int32_t four = (block != 0) && (at >= 0) && ((pixel + 4) <= end) && ((at + (3 * p->stride) + span) <= p->in_pixels);
        int32_t tap0 = 0;
        int32_t tap1 = p->taps;
        const tarn_f32 *weights = w;
        const tarn_f32 *rest = (r != NULL) ? (r + ((ptrdiff_t)pixel * p->r_pitch)) : NULL;
        tarn_f32 *out = y + ((ptrdiff_t)pixel * p->y_pitch);
        int32_t c;
        int32_t lane;
        if (four == 0) {
            while ((tap0 < tap1) && ((at + (tap0 * p->dilation)) < 0)) {
                ++tap0;
            }
            while ((tap1 > tap0) && ((at + ((tap1 - 1) * p->dilation)) >= p->in_pixels)) {
                --tap1;
            }
        }
        for (c = 0; (c + 4) <= p->channels; c += 4) {
            const int32_t offset = (at * p->x_pitch) + c;
            tarn_quad_f32 s0 = (b != NULL) ? tarn_quad_load_f32(b + c) : zero;
            int32_t row;
            if (four != 0) {
                tarn_quad_f32 s1 = s0;
                tarn_quad_f32 s2 = s0;
                tarn_quad_f32 s3 = s0;
                for (row = 0; row < p->rows; ++row) {
                    if (rows[row] != NULL) {
                        const tarn_f32 *x = rows[row] + offset;
                        const tarn_f32 *wt = weights;
                        int32_t tap = p->taps;
                        do {
                            const tarn_quad_f32 q = tarn_quad_load_f32(wt);
                            const tarn_f32 *at_x = x;
                            depthwise_tap_f32(&s0, &q, at_x);
                            at_x += pixel_step;
                            depthwise_tap_f32(&s1, &q, at_x);
                            at_x += pixel_step;
                            depthwise_tap_f32(&s2, &q, at_x);
                            at_x += pixel_step;
                            depthwise_tap_f32(&s3, &q, at_x);
                            x += tap_step;
                            wt += 4;
                        } while (--tap > 0);
                    }
                    weights += (ptrdiff_t)4 * p->taps;
                }
                tarn_quad_finish_f32(s0, (rest != NULL) ? (rest + c) : NULL, bounds, out + c, 4);
                tarn_quad_finish_f32(s1, (rest != NULL) ? (rest + c + p->r_pitch) : NULL, bounds,
                                     out + c + p->y_pitch, 4);
                tarn_quad_finish_f32(s2, (rest != NULL) ? (rest + c + ((ptrdiff_t)2 * p->r_pitch)) : NULL, bounds,
                                     out + c + ((ptrdiff_t)2 * p->y_pitch), 4);
                tarn_quad_finish_f32(s3, (rest != NULL) ? (rest + c + ((ptrdiff_t)3 * p->r_pitch)) : NULL, bounds,
                                     out + c + ((ptrdiff_t)3 * p->y_pitch), 4);
            } else {
                for (row = 0; row < p->rows; ++row) {
                    if (rows[row] != NULL) {
                        int32_t tap;
                        for (tap = tap0; tap < tap1; ++tap) {
                            const tarn_quad_f32 q = tarn_quad_load_f32(weights + ((ptrdiff_t)4 * tap));
                            depthwise_tap_f32(&s0, &q, rows[row] + (offset + (tap * tap_step)));
                        }
                    }
                    weights += (ptrdiff_t)4 * p->taps;
                }
                tarn_quad_finish_f32(s0, (rest != NULL) ? (rest + c) : NULL, bounds, out + c, 4);
            }
        }
        /* Counted by lane: compilers that know the channels see that there are none left. */
        for (lane = 0; lane < (p->channels & 3); ++lane) {
            const int32_t pixels = (four != 0) ? 4 : 1;
            int32_t i;
            for (i = 0; i < pixels; ++i) {
                tarn_acc_f32 sum = depthwise_one_f32(p, rows, weights + lane, (b != NULL) ? tarn_load_f32(b[c]) : 0,
                                           ((at + (i * p->stride)) * p->x_pitch) + c, tap0, tap1);
                if (rest != NULL) {
                    sum += tarn_load_f32(rest[(i * p->r_pitch) + c]);
                }
                out[(i * p->y_pitch) + c] = tarn_store_f32(tarn_clamp_f32(sum, p->lo, p->hi));
            }
            ++c;
        }
        pixel += (four != 0) ? 4 : 1;
    }
}
