/* SPDX-License-Identifier: MIT-0 */
#include "tarn_wide_flip.h"

TARN_API void tarn_wide_flip(const tarn_wide_flip_params *p, const void *x, void *y)
{
    const uint16_t *from = (const uint16_t *)x;
    uint16_t *to = (uint16_t *)y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            to[i] = (uint16_t)(from[i] ^ 0x8000u);
        }
        from += p->x_pitch;
        to += p->y_pitch;
    }
}
