/* SPDX-License-Identifier: MIT-0 */
#include "tarn_matmul_nbits_grouped.h"

#include "tarn_code.h"

static float matmul_nbits_grouped_zero(const tarn_matmul_nbits_params *p, const void *zero, int32_t blocks, int32_t j, int32_t b)
{
    if (zero == NULL) {
        return (float)(1 << (p->bits - 1));
    }
    if (p->zero_floats) {
        return ((const float *)zero)[(j * blocks) + b];
    }
    return (float)tarn_code_get((const uint8_t *)zero + ((ptrdiff_t)j * (((blocks * p->bits) + 7) / 8)), p->bits, 0, b);
}

TARN_API void tarn_matmul_nbits_grouped(const tarn_matmul_nbits_params *p, const float *x, const uint8_t *w, const float *scale,
                                        const void *zero, const float *bias, const int32_t *group, float *y)
{
    const int32_t blocks = (p->k + p->block - 1) / p->block;
    int32_t j;
    for (j = 0; j < p->n; ++j) {
        const uint8_t *codes = w + ((ptrdiff_t)(j * blocks) * (p->block * p->bits / 8));
        int32_t i;
        for (i = 0; i < p->m; ++i) {
            float sum = (bias != NULL) ? bias[j] : 0.0f;
            int32_t k;
            for (k = 0; k < p->k; ++k) {
                const int32_t last = (group[k] < blocks) ? group[k] : (blocks - 1);
                const int32_t b = (last < 0) ? 0 : last;
                const float weight = (float)tarn_code_get(codes, p->bits, 0, k) - matmul_nbits_grouped_zero(p, zero, blocks, j, b);
                sum += x[(i * p->k) + k] * (weight * scale[(j * blocks) + b]);
            }
            y[(i * p->n) + j] = sum;
        }
    }
}
