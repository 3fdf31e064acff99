/* SPDX-License-Identifier: MIT-0
 * Whole images, channels last, line by line: what pools over windows have in common. Text for their kernels, which say what a line is. */
#ifndef TARN_POOL_LINES_F32_H
#define TARN_POOL_LINES_F32_H

#include "tarn_pool.h"
#include "tarn_types_f32.h"

/* Line `line` of plane `plane`. Constant wherever tarn_pool_lines_f32() is called, so that it stands in line. */
typedef void (*tarn_pool_line_of_f32)(const tarn_pool_params *p, const tarn_f32 **lines, tarn_f32 *y, int32_t plane, int32_t line);

/* All lines of y. lines: room for line.rows pointers, which become those of the input lines under the window, NULL for padding. */
TARN_FORCE_INLINE void tarn_pool_lines_f32(const tarn_pool_params *p, const tarn_f32 *x, tarn_f32 *y, const tarn_f32 **lines,
                                           tarn_pool_line_of_f32 line_of)
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
                line_of(p, lines, y_at, plane, line);
                y_at += p->y_line;
            }
        }
        x_at += (ptrdiff_t)p->in[0] * p->in[1] * p->x_line;
    }
}

#endif
