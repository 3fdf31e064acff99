/* SPDX-License-Identifier: MIT-0 */
#include "tarn_conv2d_w8_f32.h"

TARN_API void tarn_conv2d_w8_f32(const tarn_images_coded_f32_params *p, const tarn_f32 *x, const uint8_t *w, const uint16_t *scale,
                                 const int8_t *zero, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y, const tarn_f32 **lines)
{
    const tarn_f32 *x_at = x;
    const tarn_f32 *r_at = r;
    tarn_f32 *y_at = y;
    int32_t image;
    int32_t done = 0;
    for (image = 0; image < p->images; ++image) {
        int32_t line;
        for (line = 0; line < p->out_lines; ++line) {
            int32_t at = (line * p->stride) - p->pad;
            int32_t row;
            for (row = 0; row < p->line.rows; ++row) {
                lines[row] = ((at >= 0) && (at < p->in_lines)) ? (x_at + ((ptrdiff_t)at * p->x_line)) : NULL;
                at += p->dilation;
            }
            tarn_conv_line_w8_f32(&p->line, lines, w, scale, zero, b, r_at, y_at, 0, p->out_pixels,
                                  (done >= p->block_first) && (done < p->block_end));
            ++done;
            y_at += p->y_line;
            r_at = (r_at != NULL) ? (r_at + p->r_line) : NULL;
        }
        x_at += (ptrdiff_t)p->in_lines * p->x_line;
    }
}
