/* SPDX-License-Identifier: MIT-0 */
#include "tarn_group_normalization_f32.h"
#include "tarn_fn_sqrt_f32.h"

/* The sum over the group's part of all pixels of (x - from), or of its square. */
static tarn_acc_f32 group_normalization_sum_f32(const tarn_group_normalization_f32_params *p, const tarn_f32 *x, tarn_acc_f32 from,
                                                int32_t squares)
{
    tarn_acc_f32 sum = 0;
    int32_t pixel;
    for (pixel = 0; pixel < p->pixels; ++pixel) {
        int32_t c;
        for (c = 0; c < p->group; ++c) {
            const tarn_acc_f32 d = tarn_load_f32(x[c]) - from;
            sum += (squares != 0) ? (d * d) : d;
        }
        x += p->x_pitch;
    }
    return sum;
}

TARN_API void tarn_group_normalization_f32(const tarn_group_normalization_f32_params *p, const tarn_f32 *x, const tarn_f32 *scale,
                                           const tarn_f32 *bias, tarn_acc_f32 *factors, tarn_f32 *y)
{
    tarn_f32 *y_at = y;
    const tarn_acc_f32 count = (tarn_acc_f32)p->pixels * (tarn_acc_f32)p->group;
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t first;
        int32_t pixel;
        for (first = 0; first < p->channels; first += p->group) {
            const tarn_acc_f32 mean = group_normalization_sum_f32(p, x + first, 0, 0) / count;
            const tarn_acc_f32 variance = group_normalization_sum_f32(p, x + first, mean, 1) / count;
            const tarn_acc_f32 deviation =
                (p->outside != 0) ? (tarn_fn_sqrt_f32(variance) + p->epsilon) : tarn_fn_sqrt_f32(variance + p->epsilon);
            int32_t c;
            for (c = first; c < (first + p->group); ++c) {
                factors[(ptrdiff_t)2 * c] = mean;
                factors[(2 * c) + 1] = ((scale != NULL) ? tarn_load_f32(scale[c / p->scales]) : 1) / deviation;
            }
        }
        for (pixel = 0; pixel < p->pixels; ++pixel) {
            int32_t c;
            for (c = 0; c < p->channels; ++c) {
                const tarn_acc_f32 v = (tarn_load_f32(x[c]) - factors[(ptrdiff_t)2 * c]) * factors[(2 * c) + 1];
                y_at[c] = tarn_store_f32((bias != NULL) ? v + tarn_load_f32(bias[c / p->scales]) : v);
            }
            x += p->x_pitch;
            y_at += p->y_pitch;
        }
    }
}
