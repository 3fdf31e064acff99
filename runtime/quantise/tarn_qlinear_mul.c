/* SPDX-License-Identifier: MIT-0 */
#include "tarn_qlinear_mul.h"

#include "tarn_code.h"

TARN_API void tarn_qlinear_mul(const tarn_qlinear_params *p, const void *a, const float *a_scale, const void *a_zero, const void *b,
                               const float *b_scale, const void *b_zero, const float *y_scale, const void *y_zero, void *y)
{
    const int32_t za = (a_zero != NULL) ? tarn_code_get(a_zero, 8, p->lo, 0) : 0;
    const int32_t zb = (b_zero != NULL) ? tarn_code_get(b_zero, 8, p->lo, 0) : 0;
    const float zy = (y_zero != NULL) ? (float)tarn_code_get(y_zero, 8, p->lo, 0) : 0.0f;
    const float product = *a_scale * *b_scale;
    const float scale = product / *y_scale;
    uint8_t *to = (uint8_t *)y;
    int32_t at[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int32_t ia = 0;
    int32_t ib = 0;
    do {
        const int32_t u = tarn_code_get(a, 8, p->lo, ia) - za;
        const int32_t v = tarn_code_get(b, 8, p->lo, ib) - zb;
        const float scaled = (float)(u * v) * scale;
        *to = (uint8_t)tarn_code_round(scaled + zy, 0, p->lo, p->hi);
        ++to;
    } while (tarn_qlinear_next(p, at, &ia, &ib));
}
