/* SPDX-License-Identifier: MIT-0 */
#include "tarn_nllloss_f32.h"

TARN_API int tarn_nllloss_f32(const tarn_nllloss_f32_params *p, const tarn_f32 *x, const int64_t *target, const tarn_f32 *weight,
                              tarn_f32 *y)
{
    const int64_t *target_at = target;
    tarn_f32 *y_at = y;
    tarn_acc_f32 sum = 0;
    tarn_acc_f32 weights = 0;
    int status = 0;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            const int64_t t = *target_at++;
            tarn_acc_f32 loss = 0;
            if ((p->has_ignored == 0) || (t != p->ignored)) {
                if ((t >= 0) && (t < p->classes)) {
                    const tarn_acc_f32 w = weight ? tarn_load_f32(weight[t]) : (tarn_acc_f32)1;
                    loss = -tarn_load_f32(x[((int32_t)t * p->inner) + i]) * w;
                    weights += w;
                } else {
                    status = -1;
                }
            }
            sum += loss;
            if (p->reduction == 0) {
                *y_at++ = tarn_store_f32(loss);
            }
        }
        x += (ptrdiff_t)p->classes * p->inner;
    }
    if (p->reduction != 0) {
        *y_at = tarn_store_f32((p->reduction == 1) ? (sum / weights) : sum);
    }
    return status;
}
