/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_convtranspose_line_s8.h"

/* Lists where the taps that reach a pixel stand in a line and in a line of a quad's weights; returns how many numbers that is. */
static int32_t int_convtranspose_aim_s8(const tarn_int_convtranspose_s8_params *p, int32_t pixel, int32_t *list)
{
    int32_t moved = pixel + p->pad[1];
    int32_t n = 0;
    int32_t tap;
    for (tap = 0; (tap < p->taps) && (moved >= 0); ++tap) {
        if (((moved % p->stride[1]) == 0) && ((moved / p->stride[1]) < p->in_pixels)) {
            list[n] = moved / p->stride[1] * p->x_pitch;
            list[n + 1] = tap * p->inputs * 4;
            n += 2;
        }
        moved -= p->dilation[1];
    }
    return n;
}

static void int_convtranspose_pixel_s8(const tarn_int_convtranspose_s8_params *p, const int8_t *const *x, const int8_t *w,
                                       const int32_t *q, const int32_t *exceptions, int8_t *y, const int32_t *list, int32_t n)
{
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    int8_t *y_at = y;
    const int32_t zero = p->zero;
    const int32_t outputs = p->groups * p->outputs;
    int32_t group_end = p->outputs;
    int32_t offset = 0; /* of the group's inputs */
    int32_t o = 0;
    while (o < outputs) {
        int32_t sums[4];
        int32_t a = q_at[0];
        int32_t b = q_at[1];
        int32_t c = q_at[2];
        int32_t d = q_at[3];
        int32_t row;
        int32_t i;
        for (row = 0; row < p->rows; ++row) {
            for (i = 0; (x[row] != NULL) && (i < n); i += 2) {
                const int8_t *from = x[row] + list[i] + offset;
                const int8_t *weights = w_at + list[i + 1];
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
            w_at += (ptrdiff_t)4 * p->taps * p->inputs;
        }
        sums[0] = a;
        sums[1] = b;
        sums[2] = c;
        sums[3] = d;
        for (i = 0; (i < 4) && (o < group_end); ++i) {
            *y_at++ = (int8_t)tarn_requant(&p->requant, exceptions, o, sums[i], q_at[4 + i], q_at[8 + i]);
            ++o;
        }
        q_at += 12;
        if (o == group_end) {
            group_end += p->outputs;
            offset += p->inputs;
        }
    }
}

TARN_API void tarn_int_convtranspose_line_s8(const tarn_int_convtranspose_s8_params *p, const int8_t *const *x, const int8_t *w,
                                             const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first, int32_t end,
                                             int32_t *scratch)
{
    int8_t *y_at = y;
    int32_t pixel;
    y_at += (ptrdiff_t)first * p->y_pitch;
    for (pixel = first; pixel < end; ++pixel) {
        const int32_t n = int_convtranspose_aim_s8(p, pixel, scratch);
        int_convtranspose_pixel_s8(p, x, w, q, exceptions, y_at, scratch, n);
        y_at += p->y_pitch;
    }
}
