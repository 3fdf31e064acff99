/* SPDX-License-Identifier: MIT-0 */
#include "tarn_fill_b4.h"

TARN_API void tarn_fill_b4(const tarn_fill_b4_params *p, const void *value, void *y)
{
    const uint8_t *from = (const uint8_t *)value;
    uint8_t *to = (uint8_t *)y;
    int32_t i;
    for (i = 0; i < p->count; ++i) {
        tarn_move_b4(to, from);
        to += TARN_BYTES_B4;
    }
}
