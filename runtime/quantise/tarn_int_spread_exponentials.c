/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_spread_exponentials.h"

TARN_API void tarn_int_spread_exponentials(const uint32_t *own, uint32_t *y)
{
    const uint32_t *from = own;
    const uint32_t *factors = own + 16;
    uint32_t *to = y;
    do {
        const uint64_t first = *from++;
        const uint32_t *factor = factors;
        int32_t left = 15;
        *to++ = (uint32_t)first;
        do {
            *to++ = (uint32_t)(((first * *factor++) + 0x80000000u) >> 32);
        } while (--left != 0);
    } while (from != factors);
}
