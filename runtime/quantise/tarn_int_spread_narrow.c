/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_spread_narrow.h"

TARN_API void tarn_int_spread_narrow(const uint32_t *own, uint32_t *y, int32_t count, int32_t width, uint32_t least)
{
    const uint32_t mask = (((uint32_t)1 << width) - 1u) * 0x01010101u;
    const uint32_t *from = own;
    const uint32_t *end = own + count;
    uint32_t *to = y;
    do {
        uint32_t codes = *from++;
        int32_t left = 8;
        do {
            /* No byte of the sum reaches the next one: what is more fits above the least. */
            *to++ = ((codes & mask) + least) ^ 0x80808080u;
            codes >>= width;
            left -= width;
        } while (left != 0);
    } while (from != end);
}
