/* SPDX-License-Identifier: MIT-0 */
#include "tarn_narrow_f32.h"

TARN_API void tarn_narrow_f32(const tarn_narrow_f32_params *p, const float *x, tarn_f32 *y)
{
    int32_t i;
    for (i = 0; i < p->count; ++i) {
        y[i] = tarn_store_f32((tarn_acc_f32)x[i]);
    }
}
