/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_pair_s8.h"

#include "tarn_code.h"

static int32_t int_pair_code_s8(const tarn_int_pair_s8_params *p, int32_t u, int32_t v)
{
    /* In memory, so that no compiler joins a product and a sum into one rounding. */
    const volatile float a = (float)(u - p->a_zero) * p->a_scale;
    const volatile float b = (float)(v - p->b_zero) * p->b_scale;
    float r;
    switch (p->op) {
    case 0:
        r = a + b;
        break;
    case 1:
        r = a - b;
        break;
    case 2:
        r = a * b;
        break;
    case 3:
        r = a / b;
        break;
    case 4:
        r = (a >= b) ? a : b;
        break;
    default:
        r = (a <= b) ? a : b;
        break;
    }
    return tarn_code_round(r / p->y_scale, p->zero, p->lo, p->hi);
}

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
                code = int_pair_code_s8(p, *pa, *pb);
            } else {
                code = t >> p->post;
                code = (code < p->lo) ? p->lo : code;
                code = (code > p->hi) ? p->hi : code;
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
