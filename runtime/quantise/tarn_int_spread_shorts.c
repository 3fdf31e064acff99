/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_spread_shorts.h"

TARN_API void tarn_int_spread_shorts(const int16_t *own, int32_t *y, int32_t count, int32_t shift, int32_t c)
{
    const int16_t *from = own;
    int32_t *to = y;
    const int32_t *end = y + count;
    while (to != end) {
        const uint32_t number = (uint32_t)(int32_t)*from++;
        *to++ = (int32_t)((number << shift) + (uint32_t)c);
    }
}
