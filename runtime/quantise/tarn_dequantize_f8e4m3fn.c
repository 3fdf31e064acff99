/* SPDX-License-Identifier: MIT-0 */
#include "tarn_dequantize_f8e4m3fn.h"

TARN_API void tarn_dequantize_f8e4m3fn(const tarn_quantize_params *p, const uint8_t *x, const float *scale, const uint8_t *zero, float *y)
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
                float v = tarn_f8e4m3fn_to_f32(x[n]);
                v = (zero != NULL) ? (v - tarn_f8e4m3fn_to_f32(zero[at])) : v;
                y[n] = v * scale[at];
                ++n;
            }
        }
    }
}
