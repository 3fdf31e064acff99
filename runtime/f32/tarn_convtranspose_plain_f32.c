/* SPDX-License-Identifier: MIT-0 */
#include "tarn_convtranspose_plain_f32.h"

static int32_t convtranspose_plain_source_f32(const tarn_convtranspose_plain_f32_params *p, int32_t axis, int32_t at, int32_t k)
{
    const int32_t moved = at + p->pad[axis] - (k * p->dilation[axis]);
    if ((moved < 0) || ((moved % p->stride[axis]) != 0) || ((moved / p->stride[axis]) >= p->in[axis])) {
        return -1;
    }
    return moved / p->stride[axis];
}

/* One output channel of one pixel at plane at[0], line at[1], column at[2]; x, w: of the group and the channel. */
static tarn_acc_f32 convtranspose_plain_sum_f32(const tarn_convtranspose_plain_f32_params *p, const tarn_f32 *x,
                                                const tarn_f32 *w, const int32_t *at)
{
    const int32_t area = p->kernel[0] * p->kernel[1] * p->kernel[2];
    tarn_acc_f32 sum = 0;
    int32_t tap;
    for (tap = 0; tap < area; ++tap) {
        const int32_t plane = convtranspose_plain_source_f32(p, 0, at[0], tap / (p->kernel[1] * p->kernel[2]));
        const int32_t line = convtranspose_plain_source_f32(p, 1, at[1], tap / p->kernel[2] % p->kernel[1]);
        const int32_t pixel = convtranspose_plain_source_f32(p, 2, at[2], tap % p->kernel[2]);
        if ((plane >= 0) && (line >= 0) && (pixel >= 0)) {
            const tarn_f32 *from = x + ((ptrdiff_t)((((plane * p->in[1]) + line) * p->in[2]) + pixel) * p->groups * p->inputs);
            int32_t c;
            for (c = 0; c < p->inputs; ++c) {
                sum += tarn_load_f32(from[c]) * tarn_load_f32(w[(c * p->outputs * area) + tap]);
            }
        }
    }
    return sum;
}

TARN_API void tarn_convtranspose_plain_f32(const tarn_convtranspose_plain_f32_params *p, const tarn_f32 *x, const tarn_f32 *w,
                                           const tarn_f32 *b, tarn_f32 *y)
{
    tarn_f32 *y_at = y;
    const int32_t area = p->kernel[0] * p->kernel[1] * p->kernel[2];
    const int32_t per_image = p->out[0] * p->out[1] * p->out[2];
    const int32_t image_size = p->in[0] * p->in[1] * p->in[2] * p->groups * p->inputs;
    int32_t done;
    for (done = 0; done < (p->images * per_image); ++done) {
        const int32_t within = done % per_image;
        int32_t at[3];
        int32_t o;
        at[0] = within / (p->out[1] * p->out[2]);
        at[1] = within / p->out[2] % p->out[1];
        at[2] = within % p->out[2];
        for (o = 0; o < (p->groups * p->outputs); ++o) {
            const int32_t group = o / p->outputs;
            const tarn_f32 *weights = w + ((ptrdiff_t)((group * p->inputs * p->outputs) + (o % p->outputs)) * area);
            tarn_acc_f32 sum =
                convtranspose_plain_sum_f32(p, x + ((ptrdiff_t)done / per_image * image_size) + ((ptrdiff_t)group * p->inputs), weights, at);
            if (b != NULL) {
                sum += tarn_load_f32(b[o]);
            }
            *y_at = tarn_store_f32(tarn_clamp_f32(sum, p->lo, p->hi));
            ++y_at;
        }
    }
}
