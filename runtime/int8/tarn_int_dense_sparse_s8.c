/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dense_sparse_s8.h"
#include "tarn_int_sparse.h"

TARN_API void tarn_int_dense_sparse_s8(const tarn_int_dense_sparse_s8_params *p, const int8_t *x, const int8_t *w,
                                       const uint8_t *gaps, const int32_t *q, const int32_t *exceptions, int8_t *y)
{
    tarn_int_sparse_weights at;
    int32_t o;
    at.w = w;
    at.gaps = gaps;
    for (o = 0; o < p->outputs; ++o) {
        const int32_t *own = q + (((ptrdiff_t)(o / 4) * 12) + (o % 4));
        const int32_t sum = tarn_int_sparse_sum(&at, own[0], x);
        y[o] = (int8_t)tarn_requant(&p->requant, exceptions, o, sum, own[4], own[8]);
    }
}
