/* SPDX-License-Identifier: MIT-0 */
#include "tarn_scatter_nd_b4.h"

TARN_API int32_t tarn_scatter_nd_b4(const tarn_gather_nd_params *p, const void *x, const void *indices, const void *updates,
                                    void *y)
{
    const uint8_t *from = (const uint8_t *)x;
    const uint8_t *update = (const uint8_t *)updates;
    uint8_t *to = (uint8_t *)y;
    int32_t i;
    for (i = (to != from) ? 0 : p->total; i < p->total; ++i) { /* nothing where y lies over x */
        tarn_move_b4(to, from);
        from += TARN_BYTES_B4;
        to += TARN_BYTES_B4;
    }
    for (i = 0; i < p->count; ++i) {
        const int32_t offset = tarn_gather_nd_offset(p, indices, i);
        int32_t k;
        if (offset < 0) {
            return -1;
        }
        to = (uint8_t *)y + ((ptrdiff_t)TARN_BYTES_B4 * offset);
        for (k = 0; k < p->inner; ++k) {
            tarn_move_b4(to, update);
            update += TARN_BYTES_B4;
            to += TARN_BYTES_B4;
        }
    }
    return 0;
}
