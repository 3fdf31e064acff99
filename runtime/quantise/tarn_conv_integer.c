/* SPDX-License-Identifier: MIT-0 */
#include "tarn_conv_integer.h"

TARN_API int32_t tarn_conv_integer_sum(const tarn_conv_integer_params *p, const uint8_t *x, const uint8_t *w, int32_t x_zero,
                                       int32_t w_zero, int32_t o, int32_t place)
{
    const uint8_t *x_at = x;
    const uint8_t *w_at = w;
    const int32_t area = p->in[0] * p->in[1] * p->in[2];
    const int32_t taps = p->kernel[0] * p->kernel[1] * p->kernel[2];
    int32_t at[3];
    int32_t tap;
    uint32_t sum = 0;
    at[0] = (place / (p->out[1] * p->out[2]) * p->stride[0]) - p->pad[0];
    at[1] = (place / p->out[2] % p->out[1] * p->stride[1]) - p->pad[1];
    at[2] = (place % p->out[2] * p->stride[2]) - p->pad[2];
    x_at += (ptrdiff_t)o / p->outputs * p->inputs * area;
    w_at += (ptrdiff_t)o * p->inputs * taps;
    for (tap = 0; tap < taps; ++tap) {
        const int32_t z = at[0] + (tap / (p->kernel[1] * p->kernel[2]) * p->dilation[0]);
        const int32_t line = at[1] + (tap / p->kernel[2] % p->kernel[1] * p->dilation[1]);
        const int32_t pixel = at[2] + (tap % p->kernel[2] * p->dilation[2]);
        int32_t from;
        int32_t c;
        if ((z < 0) || (z >= p->in[0]) || (line < 0) || (line >= p->in[1]) || (pixel < 0) || (pixel >= p->in[2])) {
            continue;
        }
        from = (((z * p->in[1]) + line) * p->in[2]) + pixel;
        for (c = 0; c < p->inputs; ++c) {
            const int32_t a = tarn_byte(x_at, (c * area) + from, p->x_flip) - x_zero;
            const int32_t b = tarn_byte(w_at, (c * taps) + tap, p->w_flip) - w_zero;
            sum += (uint32_t)(a * b);
        }
    }
    return (int32_t)sum;
}

TARN_API void tarn_conv_integer(const tarn_conv_integer_params *p, const void *x, const void *w, const void *x_zero,
                                const void *w_zero, int32_t *y)
{
    int32_t *y_at = y;
    const int32_t zx = tarn_byte_zero(x_zero, 0, p->x_flip);
    const int32_t places = p->out[0] * p->out[1] * p->out[2];
    const int32_t image_bytes = p->groups * p->inputs * p->in[0] * p->in[1] * p->in[2];
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        const uint8_t *image_x = (const uint8_t *)x + ((ptrdiff_t)image * image_bytes);
        int32_t o;
        for (o = 0; o < (p->groups * p->outputs); ++o) {
            const int32_t zw = tarn_byte_zero(w_zero, o * p->w_step, p->w_flip);
            int32_t place;
            for (place = 0; place < places; ++place) {
                *y_at = tarn_conv_integer_sum(p, image_x, (const uint8_t *)w, zx, zw, o, place);
                ++y_at;
            }
        }
    }
}
