/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_flip_s8.h"

TARN_API void tarn_int_flip_s8(const tarn_int_flip_s8_params *p, const void *x, void *y)
{
    const tarn_int_code_s8 *from = (const tarn_int_code_s8 *)x;
    tarn_int_code_s8 *to = (tarn_int_code_s8 *)y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            to[i] = (tarn_int_code_s8)(from[i] ^ TARN_INT_LOWEST_S8);
        }
        from += p->x_pitch;
        to += p->y_pitch;
    }
}
