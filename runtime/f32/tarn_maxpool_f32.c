/* SPDX-License-Identifier: MIT-0 */
#include "tarn_maxpool_f32.h"

TARN_API void tarn_maxpool_f32(const tarn_pool_params *p, const tarn_f32 *x, tarn_f32 *y, const tarn_f32 **lines)
{
    const tarn_f32 *x_at = x;
    tarn_f32 *y_at = y;
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t plane;
        for (plane = 0; plane < p->out[0]; ++plane) {
            int32_t line;
            for (line = 0; line < p->out[1]; ++line) {
                int32_t row;
                for (row = 0; row < p->line.rows; ++row) {
                    const int32_t at = tarn_pool_row(p, plane, line, row);
                    lines[row] = (at >= 0) ? (x_at + ((ptrdiff_t)at * p->x_line)) : NULL;
                }
                tarn_maxpool_line_f32(&p->line, lines, y_at, 0, p->out_pixels);
                y_at += p->y_line;
            }
        }
        x_at += (ptrdiff_t)p->in[0] * p->in[1] * p->x_line;
    }
}
