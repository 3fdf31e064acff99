/* SPDX-License-Identifier: MIT-0 */
#include "tarn_qlinear_add.h"

#include "tarn_code.h"
#include "tarn_math_bits.h"

/* code * ratio + v, rounded once. The product is exact in double; the sum is rounded to odd there (what was lost is left in
 * the last bit), so that the rounding to float is right. */
static float qlinear_add_step(int32_t code, float ratio, float v)
{
    const double a = (double)code * (double)ratio;
    const double b = (double)v;
    const double sum = a + b;
    const double part = sum - a;
    const double lost = (a - (sum - part)) + (b - part);
    uint64_t bits = tarn_f64_to_bits(sum);
    if ((lost != 0) && ((bits & 1u) == 0u)) {
        bits = ((lost > 0) == (sum > 0)) ? (bits + 1u) : (bits - 1u);
    }
    return (float)tarn_f64_from_bits(bits);
}

TARN_API void tarn_qlinear_add(const tarn_qlinear_params *p, const void *a, const float *a_scale, const void *a_zero, const void *b,
                               const float *b_scale, const void *b_zero, const float *y_scale, const void *y_zero, void *y)
{
    const int32_t za = (a_zero != NULL) ? tarn_code_get(a_zero, 8, p->lo, 0) : 0;
    const int32_t zb = (b_zero != NULL) ? tarn_code_get(b_zero, 8, p->lo, 0) : 0;
    const float zy = (y_zero != NULL) ? (float)tarn_code_get(y_zero, 8, p->lo, 0) : 0.0f;
    const float ra = *a_scale / *y_scale;
    const float rb = *b_scale / *y_scale;
    const float zeros = qlinear_add_step(za, ra, rb * (float)zb);
    const float fixed = zy - zeros;
    uint8_t *to = (uint8_t *)y;
    int32_t at[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int32_t ia = 0;
    int32_t ib = 0;
    do {
        const float right = qlinear_add_step(tarn_code_get(b, 8, p->lo, ib), rb, fixed);
        const float v = qlinear_add_step(tarn_code_get(a, 8, p->lo, ia), ra, right);
        *to = (uint8_t)tarn_code_round(v, 0, p->lo, p->hi);
        ++to;
    } while (tarn_qlinear_next(p, at, &ia, &ib));
}
