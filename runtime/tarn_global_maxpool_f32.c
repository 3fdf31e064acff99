/* SPDX-License-Identifier: MIT-0 */
#include "tarn_global_maxpool_f32.h"

TARN_API void tarn_global_maxpool_f32_begin(const tarn_global_pool_params *p, tarn_f32 *y)
{
    int32_t c;
    for (c = 0; c < p->channels; ++c) {
        y[c] = tarn_store_f32(tarn_lowest_f32);
    }
}

TARN_API void tarn_global_maxpool_f32_add(const tarn_global_pool_params *p, const tarn_f32 *x, int32_t pixels, tarn_f32 *y)
{
    int32_t pixel;
    for (pixel = 0; pixel < pixels; ++pixel) {
        int32_t c;
        for (c = 0; c < p->channels; ++c) {
            const tarn_acc_f32 v = tarn_load_f32(x[c]);
            const tarn_acc_f32 s = tarn_load_f32(y[c]);
            y[c] = tarn_store_f32(v > s || tarn_is_nan_f32(v) ? v : s);
        }
        x += p->x_pitch;
    }
}

TARN_API void tarn_global_maxpool_f32_finish(const tarn_global_pool_params *p, tarn_f32 *y)
{
    (void)p;
    (void)y;
}

TARN_API void tarn_global_maxpool_f32(const tarn_global_pool_params *p, const tarn_f32 *x, tarn_f32 *y)
{
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        tarn_global_maxpool_f32_begin(p, y);
        tarn_global_maxpool_f32_add(p, x, p->pixels, y);
        tarn_global_maxpool_f32_finish(p, y);
        x += p->pixels * p->x_pitch;
        y += p->channels;
    }
}
