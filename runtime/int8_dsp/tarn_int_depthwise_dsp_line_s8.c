/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_depthwise_dsp_line_s8.h"
#include "tarn_int_dsp_depthwise.h"
#include "tarn_int_dsp_requant.h"

/* Where the inputs under the kernel stand: an element outside the image is the zero point. */
static void int_depthwise2d_dsp_aim_s8(const tarn_int_depthwise2d_dsp_s8_params *p, const int8_t *const *x, int32_t column,
                                       const int8_t **taps, const int8_t *zeros)
{
    const int8_t *const *x_at = x;
    const int8_t **taps_at = taps;
    const int32_t step = p->dilation[1] * p->x_pitch;
    int32_t row = p->rows;
    do {
        const int8_t *line = *x_at++;
        int32_t offset = column * p->x_pitch;
        int32_t col = column;
        int32_t tap = p->taps;
        do {
            *taps_at++ = ((line != NULL) && (col >= 0) && (col < p->in_pixels)) ? (line + offset) : zeros;
            offset += step;
            col += p->dilation[1];
        } while (--tap != 0);
    } while (--row != 0);
}

TARN_API void tarn_int_depthwise_dsp_line_s8(const tarn_int_depthwise2d_dsp_s8_params *p, const int8_t *const *x,
                                             const tarn_int_depthwise_dsp_weight *w, const int32_t *q, const int32_t *exceptions, int8_t *y,
                                             int32_t first, int32_t end, const int8_t **taps, int8_t *zeros)
{
    int8_t *y_at = y;
    const tarn_int_dsp_form f = tarn_int_dsp_form_of(&p->requant, exceptions);
    const int32_t n = p->rows * p->taps;
    const int32_t padded = (n + 2) / 3 * 3;
    const int32_t forward = p->stride[1] * p->x_pitch;
    const int32_t span = (p->taps - 1) * p->dilation[1];
    int32_t column = (first * p->stride[1]) - p->pad[1];
    const int32_t whole_fours = p->channels & ~3;
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
    y_at += (ptrdiff_t)first * p->y_pitch;
    for (pixel = first; pixel < end; ++pixel) {
        const int8_t *weights = (const int8_t *)w;
        const int32_t *k = q;
        int32_t c;
        if ((moved != 0) && ((column + span) < p->in_pixels)) {
            for (i = 0; i < n; ++i) {
                taps[i] += forward;
            }
        } else {
            int_depthwise2d_dsp_aim_s8(p, x, column, taps, zeros);
            moved = (whole != 0) && (column >= 0);
        }
        for (c = 0; c < whole_fours; c += 4) {
            int32_t sums[4];
            sums[0] = k[0];
            sums[1] = k[1];
            sums[2] = k[2];
            sums[3] = k[3];
            tarn_int_dsp_depthwise(weights, taps, taps + padded, c, sums);
            y_at[c] = tarn_int_dsp_requant(&f, c, sums[0], k[4], k[8]);
            y_at[c + 1] = tarn_int_dsp_requant(&f, c + 1, sums[1], k[5], k[9]);
            y_at[c + 2] = tarn_int_dsp_requant(&f, c + 2, sums[2], k[6], k[10]);
            y_at[c + 3] = tarn_int_dsp_requant(&f, c + 3, sums[3], k[7], k[11]);
            weights += (ptrdiff_t)4 * padded;
            k += 12;
        }
        if (c < p->channels) {
            /* The last of four that end with the last channel. */
            int32_t sums[4];
            sums[0] = k[0];
            sums[1] = k[1];
            sums[2] = k[2];
            sums[3] = k[3];
            tarn_int_dsp_depthwise(weights, taps, taps + padded, p->channels - 4, sums);
            for (i = 4 - (p->channels - c); i < 4; ++i) {
                y_at[c] = tarn_int_dsp_requant(&f, c, sums[i], k[4 + i], k[8 + i]);
                ++c;
            }
        }
        y_at += p->y_pitch;
        column += p->stride[1];
    }
}
