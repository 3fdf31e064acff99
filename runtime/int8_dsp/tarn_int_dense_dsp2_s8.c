/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dense_dsp2_s8.h"
#include "tarn_int_dsp2_dense.h"

TARN_API void tarn_int_dense_dsp2_s8(const tarn_int_dense_dsp2_s8_params *p, const int8_t *x, const int32_t *w,
                                     const int32_t *q, const int32_t *exceptions, int8_t *y)
{
    const int32_t *q_at = q;
    const int8_t *weights = (const int8_t *)w;
    const int32_t taken = 2 * tarn_int_dsp2_sum(x, x + p->inputs);
    int32_t o = 0;
    while (o < p->outputs) {
        int32_t sums[4];
        int32_t i;
        for (i = 0; i < 4; ++i) {
            sums[i] = q_at[i] - ((i < 3) ? taken : 0);
        }
        tarn_int_dsp2_dense(weights, x, x + p->inputs, sums);
        for (i = 0; (i < 4) && (o < p->outputs); ++i) {
            y[o] = (int8_t)tarn_requant(&p->requant, exceptions, o, sums[i], q_at[4 + i], q_at[8 + i]);
            ++o;
        }
        weights += p->inputs;
        q_at += 12;
    }
}
