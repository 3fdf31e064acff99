/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_dsp_parts_s8.h"
#include "tarn_int_lines_s8.h"

TARN_API void tarn_int_conv2d_dsp_parts_s8(const tarn_int_conv2d_dsp_parts_s8_params *p, const int8_t *x, const int32_t *w,
                                           const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t *scratch,
                                           const int8_t **lines)
{
    const int8_t *x_at = x;
    tarn_int_conv2d_dsp_parts_run s;
    int32_t other = 0; /* pixels of the line before wait with their pointers */
    int32_t image;
    tarn_int_conv2d_dsp_parts_begin_s8(&s, p, w, q, exceptions, y, scratch);
    for (image = 0; image < p->images; ++image) {
        const int32_t length = p->in_pixels * p->x_pitch;
        int32_t line;
        for (line = 0; line < p->out_lines; ++line) {
            const int8_t **under = lines + ((other != 0) ? p->rows : 0);
            /* Only lines of a single pixel leave two lines before. */
            if ((p->out_pixels == 1) && (s.held == 2)) {
                tarn_int_conv2d_dsp_parts_end_s8(&s, p);
            }
            tarn_int_lines_s8(under, p->rows, x_at, (line * p->stride[0]) - p->pad[0], p->dilation[0], p->in_lines, length);
            tarn_int_conv2d_dsp_parts_columns_s8(&s, p, under, 0, p->out_pixels);
            other = (other == 0);
        }
        x_at += (ptrdiff_t)p->in_lines * length;
    }
    tarn_int_conv2d_dsp_parts_end_s8(&s, p);
}
