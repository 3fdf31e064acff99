/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_quantize_s32.h"

#include "tarn_code.h"

TARN_SMALL TARN_API void tarn_int_quantize_s32(const tarn_int_quantize_s32_params *p, const float *x, tarn_s32 *y)
{
    const float *x_at = x;
    tarn_s32 *y_at = y;
    /* Copies, as codes of one byte may be anything's. */
    const int32_t zero = p->zero;
    const int32_t lo = p->lo;
    const int32_t hi = p->hi;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            y_at[i] = (tarn_s32)tarn_code_round(x_at[i] / p->scale, zero, lo, hi);
        }
        x_at += p->x_pitch;
        y_at += p->y_pitch;
    }
}
