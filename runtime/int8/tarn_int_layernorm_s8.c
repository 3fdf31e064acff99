/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_layernorm_s8.h"

#include "tarn_code.h"
#include "tarn_fn_sqrt_f32.h"

TARN_API void tarn_int_layernorm_s8(const tarn_int_layernorm_s8_params *p, const int8_t *x, const float *scale, const float *bias,
                                    int8_t *y)
{
    const int8_t *x_at = x;
    int8_t *y_at = y;
    const float count = (float)p->count;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t sum = 0;
        int32_t squares = 0;
        float mean;
        float variance;
        float factor;
        int32_t i;
        for (i = 0; i < p->count; ++i) {
            const int32_t code = x_at[i];
            sum += code;
            squares += code * code;
        }
        mean = (float)sum / count;
        /* Exact up to here: the difference of two large numbers loses nothing. */
        variance = (float)(((int64_t)p->count * squares) - ((int64_t)sum * sum)) / (count * count);
        factor = p->x_scale / tarn_fn_sqrt_f32((variance * (p->x_scale * p->x_scale)) + p->epsilon);
        for (i = 0; i < p->count; ++i) {
            float v = ((float)x_at[i] - mean) * factor * scale[(ptrdiff_t)i * p->scale_step];
            if (bias != NULL) {
                v += bias[(ptrdiff_t)i * p->bias_step];
            }
            y_at[i] = (int8_t)tarn_code_round(v, p->zero, -128, 127);
        }
        x_at += p->x_pitch;
        y_at += p->y_pitch;
    }
}
