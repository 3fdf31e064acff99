/* SPDX-License-Identifier: MIT-0 */
#include "tarn_global_averagepool_f32.h"

TARN_API void tarn_global_averagepool_f32_begin(const tarn_global_pool_params *p, tarn_acc_f32 *sums)
{
    int32_t c;
    for (c = 0; c < p->channels; ++c) {
        sums[c] = 0;
    }
}

TARN_API void tarn_global_averagepool_f32_add(const tarn_global_pool_params *p, const tarn_f32 *x, int32_t pixels, tarn_acc_f32 *sums)
{
    int32_t pixel;
    for (pixel = 0; pixel < pixels; ++pixel) {
        int32_t c;
        for (c = 0; c < p->channels; ++c) {
            const tarn_acc_f32 v = tarn_load_f32(x[c]);
            sums[c] += v;
        }
        x += p->x_pitch;
    }
}

TARN_API void tarn_global_averagepool_f32_finish(const tarn_global_pool_params *p, const tarn_acc_f32 *sums, tarn_f32 *y)
{
    int32_t c;
    for (c = 0; c < p->channels; ++c) {
        y[c] = tarn_store_f32(sums[c] / (tarn_acc_f32)p->pixels);
    }
}

TARN_API void tarn_global_averagepool_f32(const tarn_global_pool_params *p, const tarn_f32 *x, tarn_f32 *y)
{
    const tarn_f32 *x_at = x;
    tarn_f32 *y_at = y;
    tarn_global_pool_params part = *p;
    tarn_acc_f32 sums[16];
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t c;
        for (c = 0; c < p->channels; c += 16) {
            part.channels = ((p->channels - c) < 16) ? (p->channels - c) : 16;
            tarn_global_averagepool_f32_begin(&part, sums);
            tarn_global_averagepool_f32_add(&part, x_at + c, p->pixels, sums);
            tarn_global_averagepool_f32_finish(&part, sums, y_at + c);
        }
        x_at += (ptrdiff_t)p->pixels * p->x_pitch;
        y_at += p->channels;
    }
}
