/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_averagepool_s8.h"

/* The rows or columns [first, end) of the window at `at` that lie inside `size`. */
static void int_averagepool_clip_s8(int32_t at, int32_t n, int32_t dilation, int32_t size, int32_t *first, int32_t *end)
{
    int32_t a = 0;
    int32_t b = n;
    while (a < b && at + a * dilation < 0) {
        ++a;
    }
    while (b > a && at + (b - 1) * dilation >= size) {
        --b;
    }
    *first = a;
    *end = b;
}

TARN_API void tarn_int_averagepool_s8(const tarn_int_averagepool_s8_params *p, const int8_t *x, const int32_t *q,
                                      const int32_t *exceptions, int8_t *y)
{
    const int32_t pixels = p->out_lines * p->out_pixels;
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t i;
        for (i = 0; i < pixels; ++i) {
            const int32_t at = i / p->out_pixels * p->stride[0] - p->pad[0];
            const int32_t column = i % p->out_pixels * p->stride[1] - p->pad[1];
            int32_t row0;
            int32_t row1;
            int32_t tap0;
            int32_t tap1;
            int32_t slot;
            int32_t outside;
            int32_t c;
            int_averagepool_clip_s8(at, p->rows, p->dilation[0], p->in_lines, &row0, &row1);
            int_averagepool_clip_s8(column, p->taps, p->dilation[1], p->in_pixels, &tap0, &tap1);
            slot = (row1 - row0) * (tap1 - tap0);
            outside = p->by_count != 0 ? 0 : (p->rows * p->taps - slot) * p->zero;
            slot = p->by_count != 0 && slot > 0 ? slot - 1 : 0;
            for (c = 0; c < p->channels; ++c) {
                int32_t sum = q[3 * slot] + outside;
                int32_t row;
                for (row = row0; row < row1; ++row) {
                    const int8_t *from =
                        x + ((at + row * p->dilation[0]) * p->in_pixels + column + tap0 * p->dilation[1]) * p->x_pitch + c;
                    int32_t tap;
                    for (tap = tap0; tap < tap1; ++tap) {
                        sum += *from;
                        from += p->dilation[1] * p->x_pitch;
                    }
                }
                y[c] = (int8_t)tarn_requant(&p->requant, exceptions, slot, sum, q[3 * slot + 1], q[3 * slot + 2]);
            }
            y += p->y_pitch;
        }
        x += p->in_lines * p->in_pixels * p->x_pitch;
    }
}
