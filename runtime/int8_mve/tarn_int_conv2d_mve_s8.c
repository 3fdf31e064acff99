/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_mve_s8.h"
#include "tarn_int_lines_s8.h"

TARN_API void tarn_int_conv2d_mve_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *x, const int8_t *w,
                                     const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                     int8_t *scratch, const int8_t **lines)
{
    const int8_t *x_at = x;
    int8_t *y_at = y;
    int32_t image;
    int32_t held = 0;
    for (image = 0; image < p->images; ++image) {
        int32_t line;
        for (line = 0; line < p->out_lines; ++line) {
            int32_t next;
            tarn_int_lines_s8(lines, p->rows, x_at, (line * p->stride[0]) - p->pad[0], p->dilation[0], p->in_lines,
                           p->in_pixels * p->x_pitch);
            next = tarn_int_conv2d_mve_columns_s8(p, lines, w, q, w_zero, exceptions, y_at, 0, p->out_pixels, held, scratch);
            y_at += (ptrdiff_t)(held + p->out_pixels - next) * p->y_pitch;
            held = next;
        }
        x_at += (ptrdiff_t)p->in_lines * p->in_pixels * p->x_pitch;
    }
    tarn_int_conv2d_mve_rest_s8(p, w, q, w_zero, exceptions, y_at, held, scratch);
}
