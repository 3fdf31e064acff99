/* SPDX-License-Identifier: MIT-0 */
#include "tarn_depthwise2d_v8_f32.h"

TARN_API void tarn_depthwise2d_v8_f32(const tarn_depthwise2d_v8_f32_params *p, const float *x, const float *w,
                                      const float *b, const float *r, float *y, const float **lines)
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
            tarn_depthwise_line_v8_f32(&p->line, lines, w, b, r_at, y_at, 0, p->out_pixels, 1);
            y_at += p->y_line;
            r_at = (r_at != NULL) ? (r_at + p->r_line) : NULL;
        }
        x_at += (ptrdiff_t)p->in_lines * p->x_line;
    }
}
