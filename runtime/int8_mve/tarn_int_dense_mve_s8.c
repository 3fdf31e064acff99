/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dense_mve_s8.h"
#include "tarn_int_mve.h"

TARN_API void tarn_int_dense_mve_s8(const tarn_int_dense_mve_s8_params *p, const int8_t *x, const int8_t *w,
                                    const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y)
{
    tarn_int_mve_state s;
    tarn_int_mve_begin(&s, &p->requant, exceptions, p->inputs, p->outputs);
    s.x[0] = x;
    if (w_zero != NULL) {
        s.x_sums[0] = tarn_int_mve_sum(x, p->inputs);
    }
    tarn_int_mve_outputs(&s, 0, w, q, w_zero, y, 0, 1);
}
