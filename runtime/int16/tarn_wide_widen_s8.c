/* SPDX-License-Identifier: MIT-0 */
#include "tarn_wide_widen_s8.h"

TARN_API void tarn_wide_widen_s8(const tarn_wide_widen_s8_params *p, const int8_t *x, int16_t *y)
{
    const int8_t *x_at = x;
    int16_t *y_at = y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            y_at[i] = (int16_t)tarn_wide_code(&p->codes, p->form, x_at[i]);
        }
        x_at += p->x_pitch;
        y_at += p->y_pitch;
    }
}
