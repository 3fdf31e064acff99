/* SPDX-License-Identifier: MIT-0 */
#include "tarn_global_averagepool_f32.h"
#include "tarn_global_pool_f32.h"

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
    tarn_global_pool_f32(p, x, y, tarn_global_averagepool_f32_begin, tarn_global_averagepool_f32_add, tarn_global_averagepool_f32_finish);
}
