/* SPDX-License-Identifier: MIT-0 */
#include "tarn_bernoulli_f32.h"

#include "tarn_random.h"

TARN_API void tarn_bernoulli_f32(const tarn_bernoulli_f32_params *p, const tarn_f32 *x, const void *values, void *y)
{
    uint8_t *to = (uint8_t *)y;
    int32_t i;
    for (i = 0; i < p->count; ++i) {
        const int one = (tarn_acc_f32)tarn_random_unit(p->seed, i) < tarn_load_f32(x[i]);
        const uint8_t *value = (const uint8_t *)values + (one ? p->bytes : 0);
        int32_t b;
        for (b = 0; b < p->bytes; ++b) {
            *to++ = value[b];
        }
    }
}
