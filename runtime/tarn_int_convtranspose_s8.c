/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_convtranspose_s8.h"

/* The input position that tap `k` brings to output position `at`, along axis `axis`; -1: none. */
static int32_t int_convtranspose_from_s8(const tarn_int_convtranspose_s8_params *p, int32_t axis, int32_t at, int32_t k, int32_t length)
{
    const int32_t moved = at + p->pad[axis] - k * p->dilation[axis];
    if (moved < 0 || moved % p->stride[axis] != 0 || moved / p->stride[axis] >= length) {
        return -1;
    }
    return moved / p->stride[axis];
}

/* Lists where the taps that reach a pixel stand in x and in a quad's weights; returns how many numbers that is. */
static int32_t int_convtranspose_aim_s8(const tarn_int_convtranspose_s8_params *p, int32_t line, int32_t pixel, int32_t *list)
{
    int32_t n = 0;
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        const int32_t from_line = int_convtranspose_from_s8(p, 0, line, row, p->in_lines);
        int32_t tap;
        for (tap = 0; from_line >= 0 && tap < p->taps; ++tap) {
            const int32_t from = int_convtranspose_from_s8(p, 1, pixel, tap, p->in_pixels);
            if (from >= 0) {
                list[n] = (from_line * p->in_pixels + from) * p->x_pitch;
                list[n + 1] = (row * p->taps + tap) * p->inputs * 4;
                n += 2;
            }
        }
    }
    return n;
}

static void int_convtranspose_pixel_s8(const tarn_int_convtranspose_s8_params *p, const int8_t *x, const int8_t *w, const int32_t *q,
                                       const int32_t *exceptions, int8_t *y, const int32_t *list, int32_t n)
{
    const int32_t zero = p->zero;
    int32_t o = 0;
    while (o < p->outputs) {
        int32_t sums[4];
        int32_t a = q[0];
        int32_t b = q[1];
        int32_t c = q[2];
        int32_t d = q[3];
        int32_t i;
        for (i = 0; i < n; i += 2) {
            const int8_t *from = x + list[i];
            const int8_t *weights = w + list[i + 1];
            int32_t left;
            for (left = p->inputs; left > 0; --left) {
                const int32_t v = *from++ - zero;
                a += v * weights[0];
                b += v * weights[1];
                c += v * weights[2];
                d += v * weights[3];
                weights += 4;
            }
        }
        sums[0] = a;
        sums[1] = b;
        sums[2] = c;
        sums[3] = d;
        for (i = 0; i < 4 && o < p->outputs; ++i) {
            *y++ = (int8_t)tarn_requant(&p->requant, exceptions, o, sums[i], q[4 + i], q[8 + i]);
            ++o;
        }
        w += 4 * p->rows * p->taps * p->inputs;
        q += 12;
    }
}

TARN_API void tarn_int_convtranspose_s8(const tarn_int_convtranspose_s8_params *p, const int8_t *x, const int8_t *w, const int32_t *q,
                                        const int32_t *exceptions, int8_t *y, int32_t *scratch)
{
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t line;
        for (line = 0; line < p->out_lines; ++line) {
            int32_t pixel;
            for (pixel = 0; pixel < p->out_pixels; ++pixel) {
                const int32_t n = int_convtranspose_aim_s8(p, line, pixel, scratch);
                int_convtranspose_pixel_s8(p, x, w, q, exceptions, y, scratch, n);
                y += p->y_pitch;
            }
        }
        x += p->in_lines * p->in_pixels * p->x_pitch;
    }
}
