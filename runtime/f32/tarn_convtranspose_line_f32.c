/* SPDX-License-Identifier: MIT-0 */
#include "tarn_convtranspose_line_f32.h"
#include "tarn_block_f32.h"

/* Four pixels of one phase whose taps all lie in the line; `at`: input pixel of the first tap of the first. */
static void convtranspose_four_f32(const tarn_convtranspose_line_f32_params *p, const tarn_f32 *const *rows, const tarn_f32 *w,
                                   const tarn_f32 *b, int32_t taps, int32_t at, tarn_f32 *y)
{
    const tarn_f32 *w_at = w;
    const tarn_f32 *b_at = b;
    static const tarn_quad_f32 zero = {0, 0, 0, 0};
    const tarn_bounds_f32 bounds = tarn_make_bounds_f32(p->lo, p->hi);
    const int32_t y_step = p->stride * p->y_pitch;
    int32_t group;
    for (group = 0; group < p->groups; ++group) {
        int32_t o;
        for (o = 0; o < p->outputs; o += 4) {
            tarn_f32 *out = y + ((ptrdiff_t)group * p->outputs) + o;
            tarn_quad_f32 s0 = (b_at != NULL) ? tarn_quad_load_f32(b_at) : zero;
            tarn_quad_f32 s1 = s0;
            tarn_quad_f32 s2 = s0;
            tarn_quad_f32 s3 = s0;
            int32_t row;
            for (row = 0; row < p->rows; ++row) {
                if (rows[row] != NULL) {
                    const tarn_f32 *x = rows[row] + ((at * p->x_pitch) + (group * p->inputs));
                    const tarn_f32 *wt = w_at;
                    int32_t tap;
                    for (tap = 0; tap < taps; ++tap) {
                        tarn_block4_f32(&s0, &s1, &s2, &s3, x, p->x_pitch, wt, p->inputs);
                        x += (ptrdiff_t)p->step * p->x_pitch;
                        wt += (ptrdiff_t)4 * p->inputs;
                    }
                }
                w_at += (ptrdiff_t)4 * p->taps * p->inputs;
            }
            tarn_quad_finish_f32(s0, NULL, bounds, out, p->outputs - o);
            tarn_quad_finish_f32(s1, NULL, bounds, out + y_step, p->outputs - o);
            tarn_quad_finish_f32(s2, NULL, bounds, out + ((ptrdiff_t)2 * y_step), p->outputs - o);
            tarn_quad_finish_f32(s3, NULL, bounds, out + ((ptrdiff_t)3 * y_step), p->outputs - o);
            b_at = (b_at != NULL) ? (b_at + 4) : NULL;
        }
    }
}

/* One pixel, with those taps only that lie in the line. */
static void convtranspose_one_f32(const tarn_convtranspose_line_f32_params *p, const tarn_f32 *const *rows, const tarn_f32 *w,
                                  const tarn_f32 *b, int32_t taps, int32_t at, tarn_f32 *y)
{
    const tarn_f32 *w_at = w;
    const tarn_f32 *b_at = b;
    int32_t taps_left = taps;
    static const tarn_quad_f32 zero = {0, 0, 0, 0};
    const tarn_bounds_f32 bounds = tarn_make_bounds_f32(p->lo, p->hi);
    int32_t first = 0;
    int32_t group;
    while ((first < taps_left) && ((at + (first * p->step)) < 0)) {
        ++first;
    }
    while ((taps_left > first) && ((at + ((taps_left - 1) * p->step)) >= p->in_pixels)) {
        --taps_left;
    }
    for (group = 0; group < p->groups; ++group) {
        int32_t o;
        for (o = 0; o < p->outputs; o += 4) {
            tarn_quad_f32 s = (b_at != NULL) ? tarn_quad_load_f32(b_at) : zero;
            int32_t row;
            for (row = 0; row < p->rows; ++row) {
                if (rows[row] != NULL) {
                    int32_t tap;
                    for (tap = first; tap < taps_left; ++tap) {
                        tarn_block1_f32(&s, rows[row] + (((at + (tap * p->step)) * p->x_pitch) + (group * p->inputs)),
                                        w_at + ((ptrdiff_t)4 * tap * p->inputs), p->inputs);
                    }
                }
                w_at += (ptrdiff_t)4 * p->taps * p->inputs;
            }
            tarn_quad_finish_f32(s, NULL, bounds, y + ((group * p->outputs) + o), p->outputs - o);
            b_at = (b_at != NULL) ? (b_at + 4) : NULL;
        }
    }
}

TARN_API void tarn_convtranspose_line_f32(const tarn_convtranspose_line_f32_params *p, const tarn_f32 *const *rows,
                                          const tarn_f32 *w, const tarn_f32 *b, const int32_t *phases, tarn_f32 *y,
                                          int32_t first, int32_t end, int32_t block)
{
    int32_t pixel = first;
    while (pixel < end) {
        const int32_t many = (block != 0) && ((pixel + (4 * p->stride)) <= end);
        const int32_t count = (many != 0) ? p->stride : 1;
        int32_t i;
        for (i = 0; i < count; ++i) {
            const int32_t column = pixel + i + p->pad;
            const int32_t *phase = phases + ((ptrdiff_t)3 * (column % p->stride));
            const int32_t at = (column - phase[2]) / p->stride;
            const tarn_f32 *weights = w + ((ptrdiff_t)4 * phase[1] * p->inputs);
            tarn_f32 *out = y + ((ptrdiff_t)(pixel + i) * p->y_pitch);
            if ((many != 0) && (at >= 0) && ((at + 3 + ((phase[0] - 1) * p->step)) < p->in_pixels)) {
                convtranspose_four_f32(p, rows, weights, b, phase[0], at, out);
            } else {
                const int32_t pixels = (many != 0) ? 4 : 1;
                int32_t k;
                for (k = 0; k < pixels; ++k) {
                    convtranspose_one_f32(p, rows, weights, b, phase[0], at + k, out + ((ptrdiff_t)k * p->stride * p->y_pitch));
                }
            }
        }
        pixel += (many != 0) ? (4 * p->stride) : 1;
    }
}
