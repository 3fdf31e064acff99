/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_depthwise2d_dsp_s8.h"
#include "tarn_int_lines_s8.h"

TARN_API void tarn_int_depthwise2d_dsp_s8(const tarn_int_depthwise2d_dsp_s8_params *p, const int8_t *x,
                                          const tarn_int_depthwise_dsp_weight *w, const int32_t *q, const int32_t *exceptions,
                                          int8_t *y, const int8_t **taps, int8_t *zeros)
{
    const int8_t *x_at = x;
    int8_t *y_at = y;
    const int8_t **lines = taps + ((ptrdiff_t)((p->rows * p->taps) + 2) / 3 * 3);
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t line;
        for (line = 0; line < p->out_lines; ++line) {
            tarn_int_lines_s8(lines, p->rows, x_at, (line * p->stride[0]) - p->pad[0], p->dilation[0], p->in_lines,
                           p->in_pixels * p->x_pitch);
            tarn_int_depthwise_dsp_line_s8(p, lines, w, q, exceptions, y_at, 0, p->out_pixels, taps, zeros);
            y_at += (ptrdiff_t)p->out_pixels * p->y_pitch;
        }
        x_at += (ptrdiff_t)p->in_lines * p->in_pixels * p->x_pitch;
    }
}
