/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_add_s8.h"

TARN_API void tarn_int_add_s8(const tarn_int_add_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y,
                              const int32_t *exceptions)
{
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        const int8_t *pa = a;
        const int8_t *pb = b;
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            const int32_t u = *pa;
            const int32_t v = *pb;
            const int32_t t = u * p->a_factor + v * p->b_factor + p->constant;
            int32_t code;
            if ((t & p->requant.mask) == 0) {
                code = tarn_requant_near(&p->requant, exceptions, 0, u * 256 + v, t);
            } else {
                code = tarn_requant_clamp(&p->requant, t >> p->requant.post);
            }
            y[i] = (int8_t)code;
            pa += p->a_step;
            pb += p->b_step;
        }
        a += p->a_pitch;
        b += p->b_pitch;
        y += p->y_pitch;
    }
}
