/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_spread_codes.h"

TARN_API void tarn_int_spread_codes(const uint32_t *own, int8_t *y, int32_t bits, int32_t least, int32_t first)
{
    const uint32_t mask = ((uint32_t)1 << bits) - 1u;
    const uint32_t *from = own;
    int8_t *to = y;
    const int8_t *end = y + 256;
    int32_t code = first;
    do {
        uint32_t word = *from++;
        int32_t left = 32;
        do {
            *to++ = (int8_t)code;
            code += least + (int32_t)(word & mask);
            word >>= bits;
            left -= bits;
        } while (left != 0);
    } while (to != end);
}
