/* SPDX-License-Identifier: MIT-0 */
#include "tarn_dense_f32.h"
#include "tarn_block_f32.h"

TARN_API void tarn_dense_f32_line(const tarn_dense_f32_params *p, const tarn_f32 *x, const tarn_f32 *w, const tarn_f32 *b,
                                  const tarn_f32 *r, tarn_f32 *y, int32_t first, int32_t end, int32_t block)
{
    const tarn_f32 *x_at = x;
    const tarn_f32 *r_at = r;
    tarn_f32 *y_at = y;
    static const tarn_quad_f32 zero = {0, 0, 0, 0};
    const tarn_bounds_f32 bounds = tarn_make_bounds_f32(p->lo, p->hi);
    const int32_t inputs = p->inputs;
    const int32_t outputs = p->outputs;
    int32_t pixel = first;
    x_at += (ptrdiff_t)first * p->x_pitch;
    y_at += (ptrdiff_t)first * p->y_pitch;
    r_at = (r_at != NULL) ? (r_at + ((ptrdiff_t)first * p->r_pitch)) : NULL;
    while (pixel < end) {
        const int32_t four = (block != 0) && ((pixel + 4) <= end);
        const int32_t step = (four != 0) ? 4 : 1;
        const tarn_f32 *weights = w;
        int32_t o;
        for (o = 0; o < outputs; o += 4) {
            const tarn_f32 *rest = (r_at != NULL) ? (r_at + o) : NULL;
            const int32_t count = outputs - o;
            tarn_quad_f32 s0 = (b != NULL) ? tarn_quad_load_f32(b + o) : zero;
            if (four != 0) {
                tarn_quad_f32 s1 = s0;
                tarn_quad_f32 s2 = s0;
                tarn_quad_f32 s3 = s0;
                tarn_f32 *out = y_at + o;
                tarn_block4_f32(&s0, &s1, &s2, &s3, x_at, p->x_pitch, weights, inputs);
                tarn_quad_finish_f32(s0, rest, bounds, out, count);
                out += p->y_pitch;
                rest = (r_at != NULL) ? (rest + p->r_pitch) : NULL;
                tarn_quad_finish_f32(s1, rest, bounds, out, count);
                out += p->y_pitch;
                rest = (r_at != NULL) ? (rest + p->r_pitch) : NULL;
                tarn_quad_finish_f32(s2, rest, bounds, out, count);
                out += p->y_pitch;
                rest = (r_at != NULL) ? (rest + p->r_pitch) : NULL;
                tarn_quad_finish_f32(s3, rest, bounds, out, count);
            } else {
                tarn_block1_f32(&s0, x_at, weights, inputs);
                tarn_quad_finish_f32(s0, rest, bounds, y_at + o, count);
            }
            weights += (ptrdiff_t)4 * inputs;
        }
        x_at += (ptrdiff_t)step * p->x_pitch;
        y_at += (ptrdiff_t)step * p->y_pitch;
        r_at = (r_at != NULL) ? (r_at + ((ptrdiff_t)step * p->r_pitch)) : NULL;
        pixel += step;
    }
}

TARN_API void tarn_dense_f32(const tarn_dense_f32_params *p, const tarn_f32 *x, const tarn_f32 *w, const tarn_f32 *b,
                             const tarn_f32 *r, tarn_f32 *y)
{
    tarn_dense_f32_line(p, x, w, b, r, y, 0, p->block_first, 0);
    tarn_dense_f32_line(p, x, w, b, r, y, p->block_first, p->block_end, 1);
    tarn_dense_f32_line(p, x, w, b, r, y, p->block_end, p->pixels, 0);
}
