/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_spread.h"

TARN_API void tarn_int_spread(const int32_t *own, int32_t *y, int32_t count, int32_t lanes, int32_t m, int32_t c)
{
    const int32_t *from = own;
    const int32_t *end = own + count;
    int32_t *to = y;
    while (from != end) {
        int32_t *ms = to + lanes;
        int32_t *cs = ms + lanes;
        int32_t left = lanes;
        do {
            *to++ = *from;
            *ms++ = (m != 0) ? m : from[lanes];
            *cs++ = c;
            ++from;
        } while (--left != 0);
        from += (m != 0) ? 0 : lanes;
        to = cs;
    }
}
