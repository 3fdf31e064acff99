/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_mul_s8.h"

TARN_API void tarn_int_mul_s8(const tarn_int_mul_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y,
                              const int32_t *exceptions)
{
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        const int8_t *pa = a;
        const int8_t *pb = b;
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            y[i] = (int8_t)tarn_requant(&p->requant, exceptions, 0, (*pa - p->a_zero) * (*pb - p->b_zero), p->m, p->c);
            pa += p->a_step;
            pb += p->b_step;
        }
        a += p->a_pitch;
        b += p->b_pitch;
        y += p->y_pitch;
    }
}
