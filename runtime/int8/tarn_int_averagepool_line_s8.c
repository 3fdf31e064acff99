/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_averagepool_line_s8.h"

/* The columns [first, end) of the window at `at` that lie inside `size`. */
static void int_averagepool_clip_s8(int32_t at, int32_t n, int32_t dilation, int32_t size, int32_t *first, int32_t *end)
{
    int32_t a = 0;
    int32_t b = n;
    while ((a < b) && ((at + (a * dilation)) < 0)) {
        ++a;
    }
    while ((b > a) && ((at + ((b - 1) * dilation)) >= size)) {
        --b;
    }
    *first = a;
    *end = b;
}

TARN_API void tarn_int_averagepool_line_s8(const tarn_int_averagepool_s8_params *p, const tarn_int_code_s8 *const *x,
                                           const int32_t *q, const int32_t *exceptions, tarn_int_code_s8 *y, int32_t first,
                                           int32_t end)
{
    tarn_int_code_s8 *y_at = y;
    int32_t column = (first * p->stride[1]) - p->pad[1];
    int32_t inside = 0;
    int32_t pixel;
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        inside += x[row] != NULL;
    }
    y_at += (ptrdiff_t)first * p->y_pitch;
    for (pixel = first; pixel < end; ++pixel) {
        int32_t tap0;
        int32_t tap1;
        int32_t slot;
        int32_t outside;
        int32_t c;
        int_averagepool_clip_s8(column, p->taps, p->dilation[1], p->in_pixels, &tap0, &tap1);
        slot = inside * (tap1 - tap0);
        outside = (p->by_count != 0) ? 0 : (((p->rows * p->taps) - slot) * p->zero);
        slot = ((p->by_count != 0) && (slot > 0)) ? (slot - 1) : 0;
        for (c = 0; c < p->channels; ++c) {
            int32_t sum = outside;
            for (row = 0; row < p->rows; ++row) {
                const tarn_int_code_s8 *from;
                int32_t tap;
                if (x[row] == NULL) {
                    continue;
                }
                from = x[row] + ((ptrdiff_t)(column + (tap0 * p->dilation[1])) * p->x_pitch) + c;
                for (tap = tap0; tap < tap1; ++tap) {
                    sum += *from;
                    from += (ptrdiff_t)p->dilation[1] * p->x_pitch;
                }
            }
            y_at[c] = tarn_int_finish_s8(&p->requant, q, exceptions, slot, sum);
        }
        y_at += p->y_pitch;
        column += p->stride[1];
    }
}
