/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_pair_s8.h"

TARN_API void tarn_int_pair_s8(const tarn_int_pair_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y)
{
    const int8_t *a_at = a;
    const int8_t *b_at = b;
    int8_t *y_at = y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        const int8_t *pa = a_at;
        const int8_t *pb = b_at;
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            const int32_t t = (*pa * p->a_factor) + (*pb * p->b_factor) + p->constant;
            int32_t code;
            if ((t & p->mask) == 0) {
                code = tarn_int_own_s8(&p->own, *pa, *pb);
            } else {
                code = t >> p->post;
                code = (code < p->own.lo) ? p->own.lo : code;
                code = (code > p->own.hi) ? p->own.hi : code;
            }
            y_at[i] = (int8_t)code;
            pa += p->a_step;
            pb += p->b_step;
        }
        a_at += p->a_pitch;
        b_at += p->b_pitch;
        y_at += p->y_pitch;
    }
}
