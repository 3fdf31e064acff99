/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_mean_s8.h"

TARN_API void tarn_int_mean_s8(const tarn_int_mean_s8_params *p, const int8_t *x, float *y)
{
    const int8_t *x_at = x;
    float *y_at = y;
    int32_t image;
    for (image = 0; image < p->images; ++image) {
        int32_t c;
        for (c = 0; c < p->channels; ++c) {
            const int8_t *from = x_at + c;
            int32_t sum = p->begin;
            int32_t pixel;
            for (pixel = 0; pixel < p->pixels; ++pixel) {
                sum += *from;
                from += p->x_pitch;
            }
            y_at[c] = (float)sum * p->scale;
        }
        x_at += (ptrdiff_t)p->pixels * p->x_pitch;
        y_at += p->y_pitch;
    }
}
