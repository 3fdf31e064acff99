/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_mean_sums_s8.h"
#include "tarn_int_add_line_s8.h"

TARN_API void tarn_int_mean_sums_s8_begin(const tarn_int_mean_s8_params *p, int32_t *sums)
{
    int32_t c;
    for (c = 0; c < p->channels; ++c) {
        sums[c] = p->begin;
    }
}

TARN_API void tarn_int_mean_sums_s8_add(const tarn_int_mean_s8_params *p, const int8_t *x, int32_t pixels, int32_t *sums)
{
    tarn_int_add_line_s8(sums, x, p->channels, pixels, p->x_pitch);
}

TARN_API void tarn_int_mean_sums_s8_finish(const tarn_int_mean_s8_params *p, const int32_t *sums, float *y)
{
    int32_t c;
    for (c = 0; c < p->channels; ++c) {
        y[c] = (float)sums[c] * p->scale;
    }
}
