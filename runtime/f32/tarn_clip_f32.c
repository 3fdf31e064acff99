/* SPDX-License-Identifier: MIT-0 */
#include "tarn_clip_f32.h"

TARN_API void tarn_clip_f32(const tarn_clip_f32_params *p, const tarn_f32 *x, const tarn_f32 *lo, const tarn_f32 *hi, tarn_f32 *y)
{
    tarn_f32 *y_at = y;
    const tarn_acc_f32 least = lo ? tarn_load_f32(*lo) : tarn_lowest_f32;
    const tarn_acc_f32 most = hi ? tarn_load_f32(*hi) : tarn_highest_f32;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            y_at[i] = tarn_store_f32(tarn_clamp_f32(tarn_load_f32(x[i]), least, most));
        }
        x += p->x_pitch;
        y_at += p->y_pitch;
    }
}
