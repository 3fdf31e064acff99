/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_flip.h"

TARN_API void tarn_int_flip(const tarn_int_flip_params *p, const void *x, void *y)
{
    const uint8_t *from = (const uint8_t *)x;
    uint8_t *to = (uint8_t *)y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            to[i] = (uint8_t)(from[i] ^ 0x80u);
        }
        from += p->x_pitch;
        to += p->y_pitch;
    }
}
