/* SPDX-License-Identifier: MIT-0 */
#include "tarn_wide_narrow_s8.h"

TARN_API void tarn_wide_narrow_s8(const tarn_wide_narrow_s8_params *p, const int16_t *x, int8_t *y)
{
    const int16_t *x_at = x;
    int8_t *y_at = y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            y_at[i] = (int8_t)tarn_wide_code(&p->codes, p->form, x_at[i]);
        }
        x_at += p->x_pitch;
        y_at += p->y_pitch;
    }
}
