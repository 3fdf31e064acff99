/* SPDX-License-Identifier: MIT-0 */
#include "tarn_conv2d_v8_f32.h"

/* The outputs of one group from o on, at most two vectors of them, of all images; all outputs of all groups where o < 0. */
static void conv2d_part_v8(const tarn_conv2d_v8_f32_params *p, const float *x, int32_t x_offset, const float *w, const float *b,
                           const float *r, float *y, const float **lines, int32_t o)
{
    const float *x_at = x;
    const float *r_at = r;
    float *y_at = y;
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t line;
        for (line = 0; line < p->out_lines; ++line) {
            int32_t at = (line * p->stride) - p->pad;
            int32_t row;
            for (row = 0; row < p->line.rows; ++row) {
                lines[row] = ((at >= 0) && (at < p->in_lines)) ? (x_at + ((ptrdiff_t)at * p->x_line)) : NULL;
                at += p->dilation;
            }
            if (o < 0) {
                tarn_conv_line_v8_f32(&p->line, lines, w, b, r_at, y_at, 0, p->out_pixels, 1);
            } else {
                tarn_conv_line_v8_f32_part(&p->line, lines, x_offset, w, b, r_at, y_at, 0, p->out_pixels, o);
            }
            y_at += p->y_line;
            r_at = (r_at != NULL) ? (r_at + p->r_line) : NULL;
        }
        x_at += (ptrdiff_t)p->in_lines * p->x_line;
    }
}

TARN_API void tarn_conv2d_v8_f32(const tarn_conv2d_v8_f32_params *p, const float *x, const float *w, const float *b,
                                 const float *r, float *y, const float **lines)
{
    const ptrdiff_t vector = (ptrdiff_t)TARN_LANES_V8 * p->line.rows * p->line.taps * p->line.inputs;
    const float *weights = w;
    const float *bias = b;
    int32_t group;
    if (tarn_conv_line_v8_f32_few(&p->line) != 0) {
        conv2d_part_v8(p, x, 0, w, b, r, y, lines, -1);
        return;
    }
    for (group = 0; group < p->line.groups; ++group) {
        int32_t o;
        for (o = 0; o < p->line.outputs; o += 2 * TARN_LANES_V8) {
            const int32_t at = (group * p->line.outputs) + o;
            const int32_t vectors = ((p->line.outputs - o) > TARN_LANES_V8) ? 2 : 1;
            conv2d_part_v8(p, x, group * p->line.inputs, weights, bias, (r != NULL) ? (r + at) : NULL, y + at, lines, o);
            weights += vectors * vector;
            bias = (bias != NULL) ? (bias + ((ptrdiff_t)vectors * TARN_LANES_V8)) : NULL;
        }
    }
}
