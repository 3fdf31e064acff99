/* SPDX-License-Identifier: MIT-0 */
#include "tarn_widen_f32.h"

TARN_API void tarn_widen_f32(const tarn_widen_f32_params *p, const tarn_f32 *x, float *y)
{
    int32_t i;
    for (i = 0; i < p->count; ++i) {
        y[i] = (float)tarn_load_f32(x[i]);
    }
}
