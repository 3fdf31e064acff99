/* SPDX-License-Identifier: MIT-0 */
#include "tarn_matmul_scaled.h"

TARN_API void tarn_matmul_scaled(const tarn_matmul_integer_params *p, const void *a, const float *a_scale, const void *a_zero,
                             const void *b, const float *b_scale, const void *b_zero, const int32_t *c,
                             const float *bias, float *y)
{
    float *y_at = y;
    int32_t t;
    for (t = 0; t < p->batches; ++t) {
        const uint8_t *left = (const uint8_t *)a + tarn_matmul_integer_offset(p, p->a_batch, t);
        const uint8_t *right = (const uint8_t *)b + tarn_matmul_integer_offset(p, p->b_batch, t);
        const float *sa = a_scale + tarn_matmul_integer_offset(p, p->a_scale_batch, t);
        const float *sb = b_scale + tarn_matmul_integer_offset(p, p->b_scale_batch, t);
        const int32_t za = tarn_matmul_integer_offset(p, p->a_zero_batch, t);
        const int32_t zb = tarn_matmul_integer_offset(p, p->b_zero_batch, t);
        int32_t i;
        for (i = 0; i < p->m; ++i) {
            const int32_t zero = tarn_byte_zero(a_zero, za + (i * p->a_zero_row), p->a_flip);
            const float row_scale = p->alpha * sa[(ptrdiff_t)i * p->a_scale_row];
            int32_t j;
            for (j = 0; j < p->n; ++j) {
                const int32_t dot = tarn_matmul_integer_sum(p, left + ((ptrdiff_t)i * p->a_row), zero, right + ((ptrdiff_t)j * p->b_column),
                                                            tarn_byte_zero(b_zero, zb + (j * p->b_zero_column), p->b_flip));
                const uint32_t sum = (uint32_t)dot + ((c != NULL) ? (uint32_t)c[(i * p->c_row) + (j * p->c_column)] : 0u);
                const float product = row_scale * sb[(ptrdiff_t)j * p->b_scale_column];
                const float v = (float)(int32_t)sum * product;
                *y_at = (bias != NULL) ? (v + bias[j]) : v;
                ++y_at;
            }
        }
    }
}
