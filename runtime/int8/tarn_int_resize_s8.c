/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_resize_s8.h"

TARN_API void tarn_int_resize_s8(const tarn_int_resize_s8_params *p, const tarn_int_code_s8 *x, const int32_t *starts,
                                 const tarn_int_resize_weight_s8 *weights, tarn_int_code_s8 *y, const tarn_int_code_s8 **rows)
{
    const tarn_int_code_s8 *x_at = x;
    tarn_int_code_s8 *y_at = y;
    const int32_t *line_starts = starts + p->out_planes;
    const tarn_int_resize_weight_s8 *line_weights = weights + ((ptrdiff_t)p->out_planes * p->line.planes);
    const int32_t *pixel_starts = line_starts + p->out_lines;
    const tarn_int_resize_weight_s8 *pixel_weights = line_weights + ((ptrdiff_t)p->out_lines * p->line.lines);
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t plane;
        for (plane = 0; plane < p->out_planes; ++plane) {
            int32_t line;
            for (line = 0; line < p->out_lines; ++line) {
                const int32_t inside = (starts[plane] >= 0) && (line_starts[line] >= 0);
                int32_t row;
                for (row = 0; (row < (p->line.planes * p->line.lines)) && (inside != 0); ++row) {
                    const int32_t at = ((starts[plane] + (row / p->line.lines)) * p->in_lines) + line_starts[line] + (row % p->line.lines);
                    rows[row] = x_at + ((ptrdiff_t)at * p->x_line);
                }
                tarn_int_resize_line_s8(&p->line, (inside != 0) ? rows : NULL, weights + ((ptrdiff_t)plane * p->line.planes),
                                     line_weights + ((ptrdiff_t)line * p->line.lines), pixel_starts, pixel_weights, y_at, 0, p->out_pixels);
                y_at += p->y_line;
            }
        }
        x_at += (ptrdiff_t)p->in_planes * p->in_lines * p->x_line;
    }
}
