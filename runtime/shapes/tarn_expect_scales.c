/* SPDX-License-Identifier: MIT-0 */
#include "tarn_expect_scales.h"

TARN_API int32_t tarn_expect_scales(const tarn_expect_scales_params *p, const float *scales, const int64_t *sizes)
{
    float common = 0.0f;
    int32_t i;
    for (i = 0; (i < p->count) && sizes; ++i) {
        const float scale = (p->x[i] > 0) ? ((float)sizes[i] / (float)p->x[i]) : common;
        if ((i == 0) || (common <= 0.0f) || ((p->keep_ratio == 1) ? (scale < common) : (scale > common))) {
            common = scale;
        }
    }
    for (i = 0; i < p->count; ++i) {
        const float scale = sizes ? common : scales[i];
        const float length = (scale * (float)p->x[i]) + (sizes ? 0.5f : 0.0f);
        if (!((scale > 0.0f) && (length >= (float)p->y[i]) && (length < ((float)p->y[i] + 1.0f)))) {
            return -1;
        }
    }
    return 0;
}
