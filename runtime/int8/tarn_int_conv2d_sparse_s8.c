/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_conv2d_sparse_s8.h"
#include "tarn_int_lines_s8.h"
#include "tarn_int_sparse.h"

static void int_conv2d_sparse_line_s8(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, const int8_t *w,
                                      const uint8_t *gaps, const int32_t *q, const int32_t *exceptions, int8_t *y, int8_t *scratch)
{
    int8_t *y_at = y;
    int32_t column = -p->pad[1];
    int32_t pixel;
    for (pixel = 0; pixel < p->out_pixels; ++pixel) {
        tarn_int_sparse_weights at;
        int32_t o;
        at.w = w;
        at.gaps = gaps;
        int_conv2d_gather_s8(p, x, 0, column, 1, 0, scratch);
        for (o = 0; o < p->outputs; ++o) {
            const int32_t *own = q + (((ptrdiff_t)(o / 4) * 12) + (o % 4));
            const int32_t sum = tarn_int_sparse_sum(&at, own[0], scratch);
            y_at[o] = (int8_t)tarn_requant(&p->requant, exceptions, o, sum, own[4], own[8]);
        }
        y_at += p->y_pitch;
        column += p->stride[1];
    }
}

TARN_API void tarn_int_conv2d_sparse_s8(const tarn_int_conv2d_s8_params *p, const int8_t *x, const int8_t *w, const uint8_t *gaps,
                                        const int32_t *q, const int32_t *exceptions, int8_t *y, int8_t *scratch,
                                        const int8_t **lines)
{
    const int8_t *x_at = x;
    int8_t *y_at = y;
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t line;
        for (line = 0; line < p->out_lines; ++line) {
            tarn_int_lines_s8(lines, p->rows, x_at, (line * p->stride[0]) - p->pad[0], p->dilation[0], p->in_lines,
                              p->in_pixels * p->x_pitch);
            int_conv2d_sparse_line_s8(p, lines, w, gaps, q, exceptions, y_at, scratch);
            y_at += (ptrdiff_t)p->out_pixels * p->y_pitch;
        }
        x_at += (ptrdiff_t)p->in_lines * p->in_pixels * p->x_pitch;
    }
}
