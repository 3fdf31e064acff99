/* SPDX-License-Identifier: MIT-0 */
#include "tarn_softmax_f32.h"

#include "tarn_fn_exp_f32.h"
#include "tarn_math_exp_avx2.h"

static void tarn_softmax_f32_vector(const tarn_softmax_params *p, const tarn_f32 *x, tarn_f32 *y)
{
    const int32_t end = p->count * p->inner;
    tarn_acc_f32 most = tarn_lowest_f32;
    tarn_acc_f32 sum = 0;
    int32_t i;
    for (i = 0; i < end; i += p->inner) {
        const tarn_acc_f32 v = tarn_load_f32(x[i]);
        most = (v > most) || tarn_is_nan_f32(v) ? v : most;
    }
#if defined(TARN_MANY_F32)
    if (p->inner == 1) {
        for (i = 0; i < end; ++i) {
            y[i] = x[i] - most;
        }
        tarn_exp_many(y, end);
        for (i = 0; i < end; ++i) {
            sum += y[i];
        }
        for (i = 0; i < end; ++i) {
            y[i] /= sum;
        }
        return;
    }
#endif
    for (i = 0; i < end; i += p->inner) {
        const tarn_acc_f32 e = tarn_fn_exp_f32(tarn_load_f32(x[i]) - most);
        sum += e;
        y[i] = tarn_store_f32(e);
    }
    for (i = 0; i < end; i += p->inner) {
        y[i] = tarn_store_f32(tarn_load_f32(y[i]) / sum);
    }
}

TARN_API void tarn_softmax_f32(const tarn_softmax_params *p, const tarn_f32 *x, tarn_f32 *y)
{
    const tarn_f32 *x_at = x;
    tarn_f32 *y_at = y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            tarn_softmax_f32_vector(p, x_at + i, y_at + i);
        }
        x_at += p->x_pitch;
        y_at += p->y_pitch;
    }
}
