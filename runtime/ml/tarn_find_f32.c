/* SPDX-License-Identifier: MIT-0 */
#include "tarn_find_f32.h"

TARN_API void tarn_find_f32(const tarn_find_f32_params *p, const tarn_f32 *x, const tarn_f32 *keys, int64_t *y)
{
    int32_t i;
    for (i = 0; i < p->count; ++i) {
        const tarn_acc_f32 v = tarn_load_f32(x[i]);
        const int32_t nan = tarn_is_nan_f32(v) ? 1 : 0;
        int32_t k = 0;
        while (k < p->keys) {
            const tarn_acc_f32 key = tarn_load_f32(keys[k]);
            if ((v == key) || ((nan != 0) && tarn_is_nan_f32(key))) {
                break;
            }
            ++k;
        }
        y[i] = k;
    }
}
