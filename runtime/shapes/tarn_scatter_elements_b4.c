/* SPDX-License-Identifier: MIT-0 */
#include "tarn_scatter_elements_b4.h"

TARN_API int32_t tarn_scatter_elements_b4(const tarn_gather_elements_params *p, const void *x, const void *indices,
                                          const void *updates, void *y)
{
    const uint8_t *from = (const uint8_t *)x;
    const uint8_t *update = (const uint8_t *)updates;
    uint8_t *to = (uint8_t *)y;
    int32_t at[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int32_t offset = 0;
    int32_t i;
    for (i = (to != from) ? 0 : p->total; i < p->total; ++i) { /* nothing where y lies over x */
        tarn_move_b4(to, from);
        from += TARN_BYTES_B4;
        to += TARN_BYTES_B4;
    }
    i = 0;
    do {
        const int32_t index = tarn_index(indices, p->wide, i, p->size);
        if (index < 0) {
            return -1;
        }
        to = (uint8_t *)y + ((ptrdiff_t)TARN_BYTES_B4 * (offset + (index * p->step)));
        tarn_move_b4(to, update);
        update += TARN_BYTES_B4;
        ++i;
    } while (tarn_gather_elements_next(p, at, &offset));
    return 0;
}
