/* SPDX-License-Identifier: MIT-0 */
#include "tarn_affine_f32.h"

TARN_API void tarn_affine_f32(const tarn_affine_f32_params *p, const tarn_f32 *x, const tarn_f32 *scale,
                              const tarn_f32 *shift, tarn_f32 *y)
{
    tarn_f32 *y_at = y;
    int32_t pixel;
    for (pixel = 0; pixel < p->outer; ++pixel) {
        int32_t c;
        for (c = 0; c < p->channels; ++c) {
            const tarn_acc_f32 product = tarn_load_f32(x[c]) * tarn_load_f32(scale[c]);
            y_at[c] = tarn_store_f32(tarn_clamp_f32(product + tarn_load_f32(shift[c]), p->lo, p->hi));
        }
        x += p->x_pitch;
        y_at += p->y_pitch;
    }
}
