/* SPDX-License-Identifier: MIT-0 */
#include "tarn_depthwise_ring_f32.h"

TARN_API void tarn_depthwise_ring_f32(const tarn_depthwise_ring_f32_params *p, const tarn_f32 *x, const tarn_f32 *w, const tarn_f32 *b,
                              const tarn_f32 *r, tarn_f32 *y, const tarn_f32 **lines)
{
    const tarn_f32 *r_at = r;
    tarn_f32 *y_at = y;
    int32_t line;
    for (line = 0; line < p->out_lines; ++line) {
        tarn_ring_rows_f32(&p->ring, x, line, p->line.rows, p->dilation, lines);
        tarn_depthwise_line_f32(&p->line, lines, w, b, r_at, y_at, 0, p->out_pixels, 0);
        y_at += p->y_line;
        r_at = (r_at != NULL) ? (r_at + p->r_line) : NULL;
    }
}
