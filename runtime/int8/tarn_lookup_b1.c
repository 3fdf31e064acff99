/* SPDX-License-Identifier: MIT-0 */
#include "tarn_lookup_b1.h"

TARN_API void tarn_lookup_b1(const tarn_lookup_b1_params *p, const void *x, const uint8_t *table, void *y)
{
    const uint8_t *from = (const uint8_t *)x;
    uint8_t *to = (uint8_t *)y + p->y_offset;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            to[i] = table[from[i]];
        }
        from += p->x_pitch;
        to += p->y_pitch;
    }
}
