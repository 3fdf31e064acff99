/* SPDX-License-Identifier: MIT-0 */
#include "tarn_wide_conv2d_s16.h"
#include "tarn_int_lines_s16.h"

TARN_API void tarn_wide_conv2d_s16(const tarn_wide_conv2d_s16_params *p, const int16_t *x, const int32_t *w, const int32_t *q,
                                   int16_t *y, int32_t *patch, const int16_t **lines)
{
    const int16_t *x_at = x;
    int16_t *y_at = y;
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t line;
        for (line = 0; line < p->out_lines; ++line) {
            tarn_int_lines_s16(lines, p->rows, x_at, (line * p->stride[0]) - p->pad[0], p->dilation[0], p->in_lines,
                            p->in_pixels * p->x_pitch);
            tarn_wide_conv2d_line_s16(p, lines, w, q, y_at, 0, p->out_pixels, patch);
            y_at += (ptrdiff_t)p->out_pixels * p->y_pitch;
        }
        x_at += (ptrdiff_t)p->in_lines * p->in_pixels * p->x_pitch;
    }
}
