/* SPDX-License-Identifier: MIT-0 */
#include "tarn_conv_line_sparse_f32.h"
#include "tarn_sparse_f32.h"

/* A row of which some taps lie outside of the line, or do not follow each other. */
static tarn_acc_f32 conv_sparse_edge_f32(const tarn_conv_line_sparse_f32_params *p, tarn_sparse_f32 *at, tarn_acc_f32 sum,
                                         const tarn_f32 *line, int32_t column)
{
    tarn_acc_f32 s = sum;
    int32_t left = tarn_sparse_count_f32(at);
    int32_t pixel = column;
    int32_t input = 0;
    for (; left > 0; --left) {
        input += *at->gaps;
        while (input >= p->inputs) {
            input -= p->inputs;
            pixel += p->dilation;
        }
        if ((line != NULL) && (pixel >= 0) && (pixel < p->in_pixels)) {
            s += tarn_load_f32(*at->w) * tarn_load_f32(line[((ptrdiff_t)pixel * p->x_pitch) + input]);
        }
        ++input;
        ++at->gaps;
        ++at->w;
    }
    return s;
}

TARN_API void tarn_conv_line_sparse_f32(const tarn_conv_line_sparse_f32_params *p, const tarn_f32 *const *x, const tarn_f32 *w,
                                        const uint8_t *gaps, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y, int32_t first,
                                        int32_t end, int32_t block)
{
    const int32_t joined = (p->x_pitch == p->inputs) && (p->dilation == 1);
    const tarn_f32 *r_at = (r != NULL) ? (r + ((ptrdiff_t)first * p->r_pitch)) : NULL;
    tarn_f32 *y_at = y + ((ptrdiff_t)first * p->y_pitch);
    int32_t column = (first * p->stride) - p->pad;
    int32_t pixel;
    (void)block;
    for (pixel = first; pixel < end; ++pixel) {
        const int32_t inside = (joined != 0) && (column >= 0) && ((column + p->taps) <= p->in_pixels);
        tarn_sparse_f32 at;
        int32_t o;
        at.w = w;
        at.gaps = gaps;
        for (o = 0; o < p->outputs; ++o) {
            tarn_acc_f32 sum = (b != NULL) ? tarn_load_f32(b[o]) : 0;
            int32_t row;
            for (row = 0; row < p->rows; ++row) {
                const tarn_f32 *line = x[row];
                if ((inside != 0) && (line != NULL)) {
                    sum = tarn_sparse_row_f32(&at, sum, line + ((ptrdiff_t)column * p->x_pitch));
                } else {
                    sum = conv_sparse_edge_f32(p, &at, sum, line, column);
                }
            }
            y_at[o] = tarn_sparse_finish_f32(sum, (r_at != NULL) ? (r_at + o) : NULL, p->lo, p->hi);
        }
        column += p->stride;
        y_at += p->y_pitch;
        r_at = (r_at != NULL) ? (r_at + p->r_pitch) : NULL;
    }
}
