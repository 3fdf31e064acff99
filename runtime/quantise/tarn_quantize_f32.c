/* SPDX-License-Identifier: MIT-0 */
#include "tarn_quantize_f32.h"

#include "tarn_code.h"

TARN_API void tarn_quantize_f32(const tarn_quantize_params *p, const tarn_f32 *x, const float *scale, const void *zero, void *y)
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
                const int32_t z = (zero != NULL) ? tarn_code_get(zero, p->bits, p->lo, at) : 0;
                const float v = (float)tarn_load_f32(x[n]) / scale[at];
                tarn_code_put(y, p->bits, n, tarn_code_round(v, z, p->lo, p->hi));
                ++n;
            }
        }
    }
}
