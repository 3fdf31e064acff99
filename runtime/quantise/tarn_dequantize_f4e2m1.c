/* SPDX-License-Identifier: MIT-0 */
#include "tarn_dequantize_f4e2m1.h"

#include "tarn_code.h"

TARN_API void tarn_dequantize_f4e2m1(const tarn_quantize_params *p, const uint8_t *x, const float *scale, const uint8_t *zero, float *y)
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
                float v = tarn_f4e2m1_to_f32((uint8_t)tarn_code_get(x, 4, 0, n));
                v = (zero != NULL) ? (v - tarn_f4e2m1_to_f32((uint8_t)tarn_code_get(zero, 4, 0, at))) : v;
                y[n] = v * scale[at];
                ++n;
            }
        }
    }
}
