/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_choose_s8.h"

TARN_API void tarn_int_choose_s8(const tarn_int_choose_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y,
                                 const int8_t *a_codes, const int8_t *b_codes)
{
    const int32_t smaller = p->smaller;
    const int8_t *a_at = a;
    const int8_t *b_at = b;
    int8_t *y_at = y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        const int8_t *pa = a_at;
        const int8_t *pb = b_at;
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            const int32_t u = a_codes[*pa + 128];
            const int32_t v = b_codes[*pb + 128];
            y_at[i] = (int8_t)(((u > v) == (smaller == 0)) ? u : v);
            pa += p->a_step;
            pb += p->b_step;
        }
        a_at += p->a_pitch;
        b_at += p->b_pitch;
        y_at += p->y_pitch;
    }
}
