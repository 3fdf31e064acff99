/* SPDX-License-Identifier: MIT-0 */
#include "tarn_wide_add_s16.h"

TARN_API void tarn_wide_add_s16(const tarn_wide_add_s16_params *p, const int16_t *a, const int16_t *b, int16_t *y)
{
    const int16_t *a_at = a;
    const int16_t *b_at = b;
    int16_t *y_at = y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        const int16_t *pa = a_at;
        const int16_t *pb = b_at;
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            y_at[i] = (int16_t)tarn_wide_round(&p->codes, tarn_wide_line(p->form, *pb) + ((int64_t)*pa * p->a_factor), p->form[1]);
            pa += p->a_step;
            pb += p->b_step;
        }
        a_at += p->a_pitch;
        b_at += p->b_pitch;
        y_at += p->y_pitch;
    }
}
