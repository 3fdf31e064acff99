/* SPDX-License-Identifier: MIT-0 */
#include "tarn_qlinear_globalaverage.h"

#include "tarn_code.h"

TARN_API void tarn_qlinear_globalaverage(const tarn_qlinear_globalaverage_params *p, const void *x, const float *x_scale,
                                         const void *x_zero, const float *y_scale, const void *y_zero, void *y)
{
    const int32_t zx = (x_zero != NULL) ? tarn_code_get(x_zero, 8, p->lo, 0) : 0;
    const int32_t zy = (y_zero != NULL) ? tarn_code_get(y_zero, 8, p->lo, 0) : 0;
    const float cells = *y_scale * (float)p->count;
    const float scale = *x_scale / cells;
    uint8_t *to = (uint8_t *)y;
    int32_t r;
    for (r = 0; r < (p->outer * p->inner); ++r) {
        const int32_t first = (r / p->inner * p->count * p->inner) + (r % p->inner);
        int32_t sum = 0;
        int32_t i;
        for (i = 0; i < p->count; ++i) {
            sum += tarn_code_get(x, 8, p->lo, first + (i * p->inner)) - zx;
        }
        to[r] = (uint8_t)tarn_code_round((float)sum * scale, zy, p->lo, p->hi);
    }
}
