/* SPDX-License-Identifier: MIT-0 */
#include "tarn_dynamic_depthwise_line_f32.h"

/* Where the inputs under the kernel stand; NULL outside the image. */
static void dynamic_depthwise_aim_f32(const tarn_dynamic_conv2d_f32_params *p, const int8_t *const *lines, int32_t column,
                                      const int8_t **taps)
{
    const int8_t **taps_at = taps;
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        int32_t pixel = column;
        int32_t tap;
        for (tap = 0; tap < p->taps; ++tap) {
            *taps_at++ = ((lines[row] != NULL) && (pixel >= 0) && (pixel < p->in_pixels)) ? (lines[row] + ((ptrdiff_t)pixel * p->x_pitch)) : NULL;
            pixel += p->dilation[1];
        }
    }
}

/* Up to four channels of one pixel; w: [taps][4]. */
static void dynamic_depthwise_quad_f32(int32_t *sums, const int8_t *const *tap, const int8_t *const *end, int32_t channel, int32_t count,
                                       int32_t zero, const int8_t *w)
{
    const int8_t *const *tap_at = tap;
    const int8_t *w_at = w;
    int32_t a = 0, b = 0, c = 0, d = 0;
    for (; tap_at != end; ++tap_at) {
        const int8_t *x = *tap_at;
        if (x != NULL) {
            x += channel;
            a += (x[0] - zero) * w_at[0];
            if (count == 4) {
                b += (x[1] - zero) * w_at[1];
                c += (x[2] - zero) * w_at[2];
                d += (x[3] - zero) * w_at[3];
            } else {
                b += (count > 1) ? ((x[1] - zero) * w_at[1]) : 0;
                c += (count > 2) ? ((x[2] - zero) * w_at[2]) : 0;
            }
        }
        w_at += 4;
    }
    sums[0] = a;
    sums[1] = b;
    sums[2] = c;
    sums[3] = d;
}

/* What the weights' zero point adds to the products of one channel. */
static int32_t dynamic_depthwise_beyond_f32(const int8_t *const *tap, const int8_t *const *end, int32_t channel, int32_t zero,
                                            int32_t w_zero)
{
    const int8_t *const *tap_at = tap;
    int32_t sum = 0;
    for (; tap_at != end; ++tap_at) {
        sum += (*tap_at != NULL) ? ((*tap_at)[channel] - zero) : 0;
    }
    return sum * w_zero;
}

static void dynamic_depthwise_pixel_f32(const tarn_dynamic_conv2d_f32_params *p, tarn_dynamic_input in, const int8_t *const *taps,
                                        const int8_t *w, const int32_t *w_zero, const float *w_scale, const float *bias, float *y)
{
    const int8_t *w_at = w;
    const int32_t area = p->rows * p->taps;
    int32_t channel;
    for (channel = 0; channel < p->groups; channel += 4) {
        const int32_t count = ((p->groups - channel) < 4) ? (p->groups - channel) : 4;
        int32_t sums[4];
        int32_t i;
        dynamic_depthwise_quad_f32(sums, taps, taps + area, channel, count, in.zero, w_at);
        for (i = 0; i < count; ++i) {
            const int32_t c = channel + i;
            if (w_zero != NULL) {
                sums[i] -= dynamic_depthwise_beyond_f32(taps, taps + area, c, in.zero, w_zero[c]);
            }
            y[c] = tarn_dynamic_finish(p, sums[i], in.scale * w_scale[(ptrdiff_t)c * p->scale_step], bias, c);
        }
        w_at += (ptrdiff_t)4 * area;
    }
}

TARN_API void tarn_dynamic_depthwise_line_f32(const tarn_dynamic_conv2d_f32_params *p, const int8_t *const *x,
                                              const int8_t *w, const int32_t *w_zero, const float *x_scale,
                                              const void *x_zero, const float *w_scale, const float *bias, float *y,
                                              int32_t first, int32_t end, const int8_t **taps)
{
    float *y_at = y;
    const tarn_dynamic_input in = tarn_dynamic_input_of(p, x_scale, x_zero);
    int32_t column = (first * p->stride[1]) - p->pad[1];
    int32_t pixel;
    y_at += (ptrdiff_t)first * p->y_pitch;
    for (pixel = first; pixel < end; ++pixel) {
        dynamic_depthwise_aim_f32(p, x, column, taps);
        dynamic_depthwise_pixel_f32(p, in, taps, w, w_zero, w_scale, bias, y_at);
        y_at += p->y_pitch;
        column += p->stride[1];
    }
}
