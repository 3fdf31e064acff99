/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_depthwise_few_line_s8.h"

/* Where the inputs under the kernel stand: an element outside the image is the zero point. */
static void int_depthwise_few_aim_s8(const tarn_int_depthwise2d_few_s8_params *p, const int8_t *const *x, int32_t column,
                                     const int8_t **taps, const int8_t *zeros)
{
    int32_t i = 0;
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        int32_t tap;
        for (tap = 0; tap < p->taps; ++tap) {
            const int32_t at = column + (tap * p->dilation[1]);
            taps[i] = zeros;
            if ((x[row] != NULL) && (at >= 0) && (at < p->in_pixels)) {
                taps[i] = x[row] + ((ptrdiff_t)at * p->x_pitch);
            }
            ++i;
        }
    }
}

/* The sum of a channel from its weights and inputs, three at a time. */
TARN_FORCE_INLINE int32_t int_depthwise_few_sum_s8(const int8_t *const *taps, int32_t n, const int8_t *w, int32_t c, int32_t begin)
{
    const int8_t *const *taps_at = taps;
    const int8_t *const *end = taps + n;
    const int8_t *w_at = w;
    int32_t sum = begin;
    do {
        sum += w_at[0] * taps_at[0][c];
        sum += w_at[1] * taps_at[1][c];
        sum += w_at[2] * taps_at[2][c];
        w_at += 3;
        taps_at += 3;
    } while (taps_at != end);
    return sum;
}

TARN_API void tarn_int_depthwise_few_line_s8(const tarn_int_depthwise2d_few_s8_params *p, const int8_t *const *x,
                                             const tarn_int_depthwise_few_weight *w, const int32_t *q, const int32_t *exceptions,
                                             int8_t *y, int32_t first, int32_t end, const int8_t **taps, int8_t *zeros)
{
    int8_t *y_at = y + ((ptrdiff_t)first * p->y_pitch);
    const int32_t n = p->rows * p->taps;
    const int32_t padded = (n + 2) / 3 * 3;
    const int32_t forward = p->stride[1] * p->x_pitch;
    const int32_t span = (p->taps - 1) * p->dilation[1];
    int32_t column = (first * p->stride[1]) - p->pad[1];
    int32_t whole = 1;
    int32_t moved = 0;
    int32_t pixel;
    int32_t i;
    for (i = 0; i < p->channels; ++i) {
        zeros[i] = (int8_t)p->zero;
    }
    for (i = n; i < padded; ++i) {
        taps[i] = zeros;
    }
    for (i = 0; i < p->rows; ++i) {
        whole &= x[i] != NULL;
    }
    for (pixel = first; pixel < end; ++pixel) {
        const int8_t *weights = w;
        const int32_t *k = q;
        if ((moved != 0) && ((column + span) < p->in_pixels)) {
            for (i = 0; i < n; ++i) {
                taps[i] += forward;
            }
        } else {
            int_depthwise_few_aim_s8(p, x, column, taps, zeros);
            moved = (whole != 0) && (column >= 0);
        }
        for (i = 0; i < p->channels; ++i) {
            const int32_t sum = int_depthwise_few_sum_s8(taps, padded, weights, i, k[0]);
            y_at[i] = (int8_t)tarn_requant(&p->requant, exceptions, i, sum, k[1], k[2]);
            weights += padded;
            k += 3;
        }
        y_at += p->y_pitch;
        column += p->stride[1];
    }
}
