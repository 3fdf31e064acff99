/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_spread_factors.h"
#include "tarn_requant.h"

TARN_API void tarn_int_spread_factors(const int32_t *own, int32_t *y, int32_t count, int32_t lanes, int32_t m, int32_t c,
                                      int32_t depth_bits)
{
    const uint32_t depths = ((uint32_t)1 << depth_bits) - 1u;
    const int32_t *from = own;
    const int32_t *end = own + count;
    int32_t *to = y;
    while (from != end) {
        int32_t *ms = to + lanes;
        int32_t *cs = ms + lanes;
        int32_t left = lanes;
        do {
            const int32_t both = *from++;
            const uint32_t mantissa = 128u + ((uint32_t)both & 127u);
            const uint32_t depth = ((uint32_t)both >> 7) & depths;
            *to++ = both >> (7 + depth_bits);
            *ms++ = tarn_mulhi_s32((int32_t)((mantissa << 23) >> depth), m);
            *cs++ = c;
        } while (--left != 0);
        to = cs;
    }
}
