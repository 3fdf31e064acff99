/* SPDX-License-Identifier: MIT-0 */
#include "tarn_conv_plain_f32.h"

/* One output: `at` is where the kernel's first element lies in the image, per axis. */
static tarn_acc_f32 conv_plain_sum_f32(const tarn_conv_plain_f32_params *p, const tarn_f32 *x, const tarn_f32 *w, const int32_t *at)
{
    const int32_t channels = p->groups * p->inputs;
    const int32_t area = p->kernel[0] * p->kernel[1] * p->kernel[2];
    tarn_acc_f32 sum = 0;
    int32_t kz;
    for (kz = 0; kz < p->kernel[0]; ++kz) {
        const int32_t z = at[0] + (kz * p->dilation[0]);
        int32_t ky;
        for (ky = 0; ky < p->kernel[1]; ++ky) {
            const int32_t line = at[1] + (ky * p->dilation[1]);
            int32_t kx;
            if ((z < 0) || (z >= p->in[0]) || (line < 0) || (line >= p->in[1])) {
                continue;
            }
            for (kx = 0; kx < p->kernel[2]; ++kx) {
                const int32_t pixel = at[2] + (kx * p->dilation[2]);
                const int32_t tap = (((kz * p->kernel[1]) + ky) * p->kernel[2]) + kx;
                int32_t c;
                if ((pixel < 0) || (pixel >= p->in[2])) {
                    continue;
                }
                for (c = 0; c < p->inputs; ++c) {
                    sum += tarn_load_f32(x[(((((z * p->in[1]) + line) * p->in[2]) + pixel) * channels) + c]) *
                           tarn_load_f32(w[(c * area) + tap]);
                }
            }
        }
    }
    return sum;
}

TARN_API void tarn_conv_plain_f32(const tarn_conv_plain_f32_params *p, const tarn_f32 *x, const tarn_f32 *w,
                                  const tarn_f32 *b, tarn_f32 *y)
{
    tarn_f32 *y_at = y;
    const int32_t per_image = p->out[0] * p->out[1] * p->out[2];
    const int32_t row = p->inputs * p->kernel[0] * p->kernel[1] * p->kernel[2];
    const int32_t outputs = p->groups * p->outputs;
    int32_t done;
    for (done = 0; done < (p->images * per_image); ++done) {
        const int32_t within = done % per_image;
        const int32_t image = done / per_image;
        int32_t at[3];
        int32_t o;
        at[0] = (within / (p->out[1] * p->out[2]) * p->stride[0]) - p->pad[0];
        at[1] = (within / p->out[2] % p->out[1] * p->stride[1]) - p->pad[1];
        at[2] = (within % p->out[2] * p->stride[2]) - p->pad[2];
        for (o = 0; o < outputs; ++o) {
            const tarn_f32 *image_x = x + ((ptrdiff_t)image * p->in[0] * p->in[1] * p->in[2] * p->groups * p->inputs) +
                                      ((ptrdiff_t)o / p->outputs * p->inputs);
            tarn_acc_f32 sum = conv_plain_sum_f32(p, image_x, w + ((ptrdiff_t)o * row), at);
            if (b != NULL) {
                sum += tarn_load_f32(b[o]);
            }
            *y_at = tarn_store_f32(tarn_clamp_f32(sum, p->lo, p->hi));
            ++y_at;
        }
    }
}
