/* SPDX-License-Identifier: MIT-0 */
#include "tarn_matmul_nbits.h"

#include "tarn_code.h"

TARN_API void tarn_matmul_nbits(const tarn_matmul_nbits_params *p, const float *x, const uint8_t *w, const float *scale,
                                const void *zero, const float *bias, float *y)
{
    const int32_t blocks = (p->k + p->block - 1) / p->block;
    const int32_t zero_bytes = ((blocks * p->bits) + 7) / 8;
    int32_t j;
    for (j = 0; j < p->n; ++j) {
        int32_t i;
        for (i = 0; i < p->m; ++i) {
            float sum = (bias != NULL) ? bias[j] : 0.0f;
            int32_t b;
            for (b = 0; b < blocks; ++b) {
                const uint8_t *codes = w + ((ptrdiff_t)((j * blocks) + b) * (p->block * p->bits / 8));
                const int32_t first = b * p->block;
                const int32_t count = ((p->k - first) < p->block) ? (p->k - first) : p->block;
                float z = (float)(1 << (p->bits - 1));
                float part = 0;
                int32_t k;
                if ((zero != NULL) && p->zero_floats) {
                    z = ((const float *)zero)[(j * blocks) + b];
                } else if (zero != NULL) {
                    z = (float)tarn_code_get((const uint8_t *)zero + ((ptrdiff_t)j * zero_bytes), p->bits, 0, b);
                } else {
                    /* the middle of the codes */
                }
                for (k = 0; k < count; ++k) {
                    part += x[(i * p->k) + first + k] * ((float)tarn_code_get(codes, p->bits, 0, k) - z);
                }
                sum += part * scale[(j * blocks) + b];
            }
            y[(i * p->n) + j] = sum;
        }
    }
}
