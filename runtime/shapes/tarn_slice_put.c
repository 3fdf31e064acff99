/* SPDX-License-Identifier: MIT-0 */
#include "tarn_slice_put.h"

TARN_API void tarn_slice_put(const tarn_slice_params *p, const int64_t *trip, const void *part, void *whole)
{
    const uint8_t *from = (const uint8_t *)part;
    uint8_t *to = (uint8_t *)whole + tarn_slice_offset(p, *trip);
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            to[i] = from[i];
        }
        from += p->inner;
        to += p->pitch;
    }
}
