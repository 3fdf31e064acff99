/* SPDX-License-Identifier: MIT-0 */
#include "tarn_lrn_f32.h"
#include "tarn_fn_pow_f32.h"

TARN_API void tarn_lrn_f32(const tarn_lrn_f32_params *p, const tarn_f32 *x, tarn_f32 *y)
{
    tarn_f32 *y_at = y;
    int32_t pixel;
    for (pixel = 0; pixel < p->pixels; ++pixel) {
        int32_t c;
        for (c = 0; c < p->channels; ++c) {
            const int32_t first = (c > p->before) ? (c - p->before) : 0;
            const int32_t last = ((p->channels - 1 - c) > p->after) ? (c + p->after) : (p->channels - 1);
            tarn_acc_f32 sum = 0;
            int32_t k;
            for (k = first; k <= last; ++k) {
                const tarn_acc_f32 v = tarn_load_f32(x[k]);
                sum += v * v;
            }
            y_at[c] = tarn_store_f32(tarn_load_f32(x[c]) / tarn_fn_pow_f32(p->bias + (p->alpha * sum), p->beta));
        }
        x += p->x_pitch;
        y_at += p->y_pitch;
    }
}
