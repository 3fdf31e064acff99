/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_convtranspose_dsp_s8.h"

TARN_API void tarn_int_convtranspose_dsp_s8(const tarn_int_convtranspose_dsp_s8_params *p, const int8_t *x, const int32_t *w, const int32_t *q,
                                            const int32_t *exceptions, int8_t *y, int32_t *scratch, int8_t *bytes, const int8_t **lines)
{
    const int8_t *x_at = x;
    int8_t *y_at = y;
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t line;
        for (line = 0; line < p->out_lines; ++line) {
            int32_t moved = line + p->pad[0];
            int32_t row;
            for (row = 0; row < p->rows; ++row) {
                const int32_t reaches = (moved >= 0) && ((moved % p->stride[0]) == 0) && ((moved / p->stride[0]) < p->in_lines);
                lines[row] = (reaches != 0) ? (x_at + ((ptrdiff_t)moved / p->stride[0] * p->in_pixels * p->x_pitch)) : NULL;
                --moved;
            }
            tarn_int_convtranspose_dsp_line_s8(p, lines, w, q, exceptions, y_at, 0, p->out_pixels, scratch, bytes);
            y_at += (ptrdiff_t)p->out_pixels * p->y_pitch;
        }
        x_at += (ptrdiff_t)p->in_lines * p->in_pixels * p->x_pitch;
    }
}
