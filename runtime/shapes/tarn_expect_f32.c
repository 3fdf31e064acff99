/* SPDX-License-Identifier: MIT-0 */
#include "tarn_expect_f32.h"

TARN_API int32_t tarn_expect_f32(const tarn_expect_f32_params *p, const tarn_f32 *x)
{
    int32_t i;
    for (i = 0; i < p->count; ++i) {
        if ((p->values[i] >= 0) && tarn_load_f32(x[p->first + i]) != (tarn_acc_f32)p->values[i]) {
            return -1;
        }
    }
    return 0;
}
