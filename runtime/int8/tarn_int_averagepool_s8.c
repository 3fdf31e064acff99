/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_averagepool_s8.h"
#include "tarn_int_lines_s8.h"

TARN_API void tarn_int_averagepool_s8(const tarn_int_averagepool_s8_params *p, const tarn_int_code_s8 *x, const int32_t *q,
                                      const int32_t *exceptions, tarn_int_code_s8 *y, const tarn_int_code_s8 **lines)
{
    const tarn_int_code_s8 *x_at = x;
    tarn_int_code_s8 *y_at = y;
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t line;
        for (line = 0; line < p->out_lines; ++line) {
            tarn_int_lines_s8(lines, p->rows, x_at, (line * p->stride[0]) - p->pad[0], p->dilation[0], p->in_lines,
                           p->in_pixels * p->x_pitch);
            tarn_int_averagepool_line_s8(p, lines, q, exceptions, y_at, 0, p->out_pixels);
            y_at += (ptrdiff_t)p->out_pixels * p->y_pitch;
        }
        x_at += (ptrdiff_t)p->in_lines * p->in_pixels * p->x_pitch;
    }
}
