/* SPDX-License-Identifier: MIT-0 */
#include "tarn_conv_quantized.h"

#include "tarn_code.h"

TARN_API void tarn_conv_quantized(const tarn_conv_integer_params *p, const void *x, const float *x_scale, const void *x_zero,
                                  const void *w, const float *w_scale, const void *w_zero, const float *y_scale,
                                  const void *y_zero, const int32_t *b, void *y)
{
    const int32_t zx = tarn_byte_zero(x_zero, 0, p->x_flip);
    const int32_t zy = (y_zero != NULL) ? tarn_code_get(y_zero, 8, p->lo, 0) : 0;
    const int32_t places = p->out[0] * p->out[1] * p->out[2];
    const int32_t image_bytes = p->groups * p->inputs * p->in[0] * p->in[1] * p->in[2];
    uint8_t *to = (uint8_t *)y;
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        const uint8_t *image_x = (const uint8_t *)x + ((ptrdiff_t)image * image_bytes);
        int32_t o;
        for (o = 0; o < (p->groups * p->outputs); ++o) {
            const int32_t zw = tarn_byte_zero(w_zero, o * p->w_step, p->w_flip);
            const float product = x_scale[0] * w_scale[(ptrdiff_t)o * p->s_step];
            const float scale = product / y_scale[0];
            int32_t place;
            for (place = 0; place < places; ++place) {
                const int32_t dot = tarn_conv_integer_sum(p, image_x, (const uint8_t *)w, zx, zw, o, place);
                const uint32_t sum = (uint32_t)dot + ((b != NULL) ? (uint32_t)b[o] : 0u);
                *to = (uint8_t)tarn_code_round((float)(int32_t)sum * scale, zy, p->lo, p->hi);
                ++to;
            }
        }
    }
}
