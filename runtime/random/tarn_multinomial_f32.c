/* SPDX-License-Identifier: MIT-0 */
#include "tarn_multinomial_f32.h"

#include "tarn_fn_exp_f32.h"
#include "tarn_random.h"

/* The class at which the sum of the probabilities passes this part of the whole. */
static int32_t multinomial_draw_f32(const tarn_f32 *x, int32_t classes, tarn_acc_f32 most, tarn_acc_f32 part)
{
    tarn_acc_f32 sum = 0;
    int32_t c;
    for (c = 0; c < (classes - 1); ++c) {
        sum += tarn_fn_exp_f32(tarn_load_f32(x[c]) - most);
        if (sum > part) {
            break;
        }
    }
    return c;
}

TARN_API void tarn_multinomial_f32(const tarn_multinomial_f32_params *p, const tarn_f32 *x, void *y)
{
    int32_t row;
    for (row = 0; row < p->rows; ++row) {
        tarn_acc_f32 most = tarn_load_f32(x[0]);
        tarn_acc_f32 sum = 0;
        int32_t i;
        for (i = 1; i < p->classes; ++i) {
            most = tarn_load_f32(x[i]) > most ? tarn_load_f32(x[i]) : most;
        }
        for (i = 0; i < p->classes; ++i) {
            sum += tarn_fn_exp_f32(tarn_load_f32(x[i]) - most);
        }
        for (i = 0; i < p->draws; ++i) {
            const int32_t n = (row * p->draws) + i;
            const int32_t c = multinomial_draw_f32(x, p->classes, most, sum * (tarn_acc_f32)tarn_random_unit(p->seed, n));
            if (p->wide) {
                ((int64_t *)y)[n] = c;
            } else {
                ((int32_t *)y)[n] = c;
            }
        }
        x += p->classes;
    }
}
