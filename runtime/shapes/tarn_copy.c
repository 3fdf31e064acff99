/* SPDX-License-Identifier: MIT-0 */
#include "tarn_copy.h"

TARN_API void tarn_copy(const tarn_copy_params *p, const void *x, void *y)
{
    const uint8_t *from = (const uint8_t *)x + p->x_offset;
    uint8_t *to = (uint8_t *)y + p->y_offset;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            to[i] = from[i];
        }
        from += p->x_pitch;
        to += p->y_pitch;
    }
}
