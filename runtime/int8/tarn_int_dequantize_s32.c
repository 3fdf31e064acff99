/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dequantize_s32.h"

TARN_SMALL TARN_API void tarn_int_dequantize_s32(const tarn_int_dequantize_s32_params *p, const tarn_s32 *x, float *y)
{
    const tarn_s32 *x_at = x;
    float *y_at = y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            y_at[i] = (float)((int32_t)x_at[i] - p->zero) * p->scale;
        }
        x_at += p->x_pitch;
        y_at += p->y_pitch;
    }
}
