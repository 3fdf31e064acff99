/* SPDX-License-Identifier: MIT-0 */
#include "tarn_wide_scale_s16.h"

TARN_API void tarn_wide_scale_s16(const tarn_wide_scale_s16_params *p, const int16_t *x, int16_t *y)
{
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            y[i] = (int16_t)tarn_wide_code(&p->codes, p->form, x[i]);
        }
        x += p->x_pitch;
        y += p->y_pitch;
    }
}
