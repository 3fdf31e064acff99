/* SPDX-License-Identifier: MIT-0 */
#include "tarn_dequantize_f32.h"

#include "tarn_code.h"

TARN_API void tarn_dequantize_f32(const tarn_quantize_params *p, const void *x, const float *scale, const void *zero, tarn_f32 *y)
{
    int32_t n = 0;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t a;
        for (a = 0; a < p->size; ++a) {
            const int32_t base = (o * p->s_outer) + (a / p->block * p->s_axis);
            int32_t i;
            for (i = 0; i < p->inner; ++i) {
                const int32_t at = base + (i * p->s_inner);
                const uint32_t z = (zero != NULL) ? (uint32_t)tarn_code_get(zero, p->bits, p->lo, at) : 0u;
                const int32_t v = (int32_t)((uint32_t)tarn_code_get(x, p->bits, p->lo, n) - z);
                y[n] = tarn_store_f32((float)v * scale[at]);
                ++n;
            }
        }
    }
}
