/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_own_s8.h"

#include "tarn_code.h"

TARN_API int32_t tarn_int_own_s8(const tarn_int_own_s8_params *p, int32_t u, int32_t v)
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
    default:
        r = a / b;
        break;
    }
    return tarn_code_round(r / p->y_scale, p->zero, p->lo, p->hi);
}
