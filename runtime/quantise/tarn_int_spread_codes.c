/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_spread_codes.h"

TARN_API void tarn_int_spread_codes(const uint8_t *own, int8_t *y, int32_t width, int32_t least, int32_t first)
{
    const uint32_t mask = ((uint32_t)1 << width) - 1u;
    const uint8_t *from = own;
    int8_t *to = y;
    const int8_t *end = y + 256;
    uint32_t bits = 0;
    int32_t have = 0;
    int32_t code = first;
    do {
        *to++ = (int8_t)code;
        if (have < width) {
            bits |= (uint32_t)*from++ << have;
            have += 8;
        }
        code += least + (int32_t)(bits & mask);
        bits >>= width;
        have -= width;
    } while (to != end);
}
