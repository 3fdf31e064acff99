/* SPDX-License-Identifier: MIT-0 */
#include "tarn_wide_depthwise_line_s16.h"

/* All channels of one pixel, whose inputs the taps point at: four sums at a time, which weights of zero fill up. */
static void wide_depthwise2d_pixel_s16(const tarn_wide_depthwise2d_s16_params *p, const int16_t *const *taps, const int8_t *w,
                                       const int32_t *q, int16_t *y)
{
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    const int32_t n = p->rows * p->taps;
    int32_t c;
    for (c = 0; c < p->channels; c += 4) {
        const int32_t left = p->channels - c;
        const int32_t second = (left > 1) ? 1 : 0;
        const int32_t third = (left > 2) ? 2 : 0;
        const int32_t fourth = (left > 3) ? 3 : 0;
        int32_t sums[4] = {0, 0, 0, 0};
        int32_t i;
        for (i = 0; i < n; ++i) {
            const int16_t *x = taps[i] + c;
            sums[0] += w_at[0] * x[0];
            sums[1] += w_at[1] * x[second];
            sums[2] += w_at[2] * x[third];
            sums[3] += w_at[3] * x[fourth];
            w_at += 4;
        }
        for (i = 0; (i < 4) && (i < left); ++i) {
            y[c + i] = (int16_t)tarn_wide_code(&p->codes, q_at, sums[i]);
            q_at += 4;
        }
    }
}

TARN_API void tarn_wide_depthwise_line_s16(const tarn_wide_depthwise2d_s16_params *p, const int16_t *const *x, const int8_t *w,
                                           const int32_t *q, int16_t *y, int32_t first, int32_t end, const int16_t **taps,
                                           int16_t *zeros)
{
    int16_t *y_at = y;
    int32_t column = (first * p->stride[1]) - p->pad[1];
    int32_t pixel;
    int32_t i;
    for (i = 0; i < p->channels; ++i) {
        zeros[i] = (int16_t)p->zero;
    }
    y_at += (ptrdiff_t)first * p->y_pitch;
    for (pixel = first; pixel < end; ++pixel) {
        int32_t row;
        i = 0;
        for (row = 0; row < p->rows; ++row) {
            int32_t at = column;
            int32_t tap;
            for (tap = 0; tap < p->taps; ++tap) {
                taps[i++] = ((x[row] != NULL) && (at >= 0) && (at < p->in_pixels)) ? (x[row] + ((ptrdiff_t)at * p->x_pitch)) : zeros;
                at += p->dilation[1];
            }
        }
        wide_depthwise2d_pixel_s16(p, taps, w, q, y_at);
        y_at += p->y_pitch;
        column += p->stride[1];
    }
}
