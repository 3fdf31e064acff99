/* SPDX-License-Identifier: MIT-0 */
#include "tarn_matmul_integer.h"

TARN_API void tarn_matmul_integer(const tarn_matmul_integer_params *p, const void *a, const void *b, const void *a_zero,
                                  const void *b_zero, int32_t *y)
{
    int32_t *y_at = y;
    int32_t t;
    for (t = 0; t < p->batches; ++t) {
        const uint8_t *left = (const uint8_t *)a + tarn_matmul_integer_offset(p, p->a_batch, t);
        const uint8_t *right = (const uint8_t *)b + tarn_matmul_integer_offset(p, p->b_batch, t);
        const int32_t za = tarn_matmul_integer_offset(p, p->a_zero_batch, t);
        const int32_t zb = tarn_matmul_integer_offset(p, p->b_zero_batch, t);
        int32_t i;
        for (i = 0; i < p->m; ++i) {
            const int32_t zero = tarn_byte_zero(a_zero, za + (i * p->a_zero_row), p->a_flip);
            int32_t j;
            for (j = 0; j < p->n; ++j) {
                *y_at = tarn_matmul_integer_sum(p, left + ((ptrdiff_t)i * p->a_row), zero, right + ((ptrdiff_t)j * p->b_column),
                                             tarn_byte_zero(b_zero, zb + (j * p->b_zero_column), p->b_flip));
                ++y_at;
            }
        }
    }
}
