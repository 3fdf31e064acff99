/* SPDX-License-Identifier: MIT-0 */
#include "tarn_random_f32.h"

#include "tarn_fn_cos_f32.h"
#include "tarn_fn_log_f32.h"
#include "tarn_fn_sqrt_f32.h"

/* Box and Muller's way from two even numbers to a normal one. */
static tarn_acc_f32 random_normal_f32(int32_t seed, int32_t i)
{
    const tarn_acc_f32 u = (tarn_acc_f32)1 - (tarn_acc_f32)tarn_random_unit(seed, 2 * i);
    const tarn_acc_f32 v = (tarn_acc_f32)tarn_random_unit(seed, (2 * i) + 1);
    return tarn_fn_sqrt_f32((tarn_acc_f32)-2 * tarn_fn_log_f32(u)) * tarn_fn_cos_f32((tarn_acc_f32)6.283185307179586 * v);
}

TARN_API void tarn_random_f32(const tarn_random_f32_params *p, tarn_f32 *y)
{
    int32_t i;
    for (i = 0; i < p->count; ++i) {
        const tarn_acc_f32 v = p->normal ? random_normal_f32(p->seed, i) : (tarn_acc_f32)tarn_random_unit(p->seed, i);
        y[i] = tarn_store_f32(p->base + (v * p->scale));
    }
}
