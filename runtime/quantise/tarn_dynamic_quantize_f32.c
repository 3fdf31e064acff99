/* SPDX-License-Identifier: MIT-0 */
#include "tarn_dynamic_quantize_f32.h"

#include "tarn_code.h"

TARN_API void tarn_dynamic_quantize_f32(const tarn_dynamic_quantize_f32_params *p, const tarn_f32 *x, void *y, float *scale,
                                        uint8_t *zero)
{
    uint8_t *codes = (uint8_t *)y;
    float least = 0;
    float most = 0;
    float s;
    int32_t z;
    int32_t i;
    for (i = 0; i < p->count; ++i) {
        const float v = (float)tarn_load_f32(x[i]);
        least = (v < least) ? v : least;
        most = (v > most) ? v : most;
    }
    s = (most == least) ? 1.0f : ((most - least) / 255.0f);
    z = tarn_code_round(0.0f - (least / s), 0, 0, 255);
    for (i = 0; i < p->count; ++i) {
        codes[i] = (uint8_t)(tarn_code_round((float)tarn_load_f32(x[i]) / s, z, 0, 255) - p->lower);
    }
    *scale = s;
    *zero = (uint8_t)z;
}
