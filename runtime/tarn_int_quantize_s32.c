/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_quantize_s32.h"

TARN_SMALL TARN_API void tarn_int_quantize_s32(const tarn_int_quantize_s32_params *p, const float *x, tarn_s32 *y)
{
    const float least = (float)(p->lo - p->zero);
    const float most = (float)(p->hi - p->zero);
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            /* Adding and taking away 1.5 * 2^23 rounds to a whole number. */
            float v = x[i] / p->scale;
            volatile float shifted;
            v = v >= least ? v : least;
            v = v <= most ? v : most;
            shifted = v + 12582912.0f;
            y[i] = (tarn_s32)((int32_t)(shifted - 12582912.0f) + p->zero);
        }
        x += p->x_pitch;
        y += p->y_pitch;
    }
}
