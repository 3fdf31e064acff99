/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_spread_shorts.h"

TARN_API void tarn_int_spread_shorts(const uint8_t *own, int32_t *y, int32_t count, int32_t width, int32_t shift, int32_t c)
{
    const uint32_t mask = ((uint32_t)1 << width) - 1u;
    const uint8_t *from = own;
    int32_t *to = y;
    const int32_t *end = y + count;
    uint32_t bits = 0;
    int32_t have = 0;
    do {
        while (have < width) {
            bits |= (uint32_t)*from++ << have;
            have += 8;
        }
        *to++ = (int32_t)(((bits & mask) << shift) + (uint32_t)c);
        bits >>= width;
        have -= width;
    } while (to != end);
}
