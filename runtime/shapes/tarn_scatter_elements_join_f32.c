/* SPDX-License-Identifier: MIT-0 */
#include "tarn_scatter_elements_join_f32.h"

TARN_API int32_t tarn_scatter_elements_join_f32(const tarn_gather_elements_params *p, const tarn_f32 *x, const void *indices,
                                                const tarn_f32 *updates, tarn_f32 *y)
{
    int32_t at[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int32_t offset = 0;
    int32_t i;
    for (i = (y != x) ? 0 : p->total; i < p->total; ++i) { /* nothing where y lies over x */
        y[i] = x[i];
    }
    i = 0;
    do {
        const int32_t index = tarn_index(indices, p->wide, i, p->size);
        tarn_f32 *to;
        if (index < 0) {
            return -1;
        }
        to = y + offset + ((ptrdiff_t)index * p->step);
        *to = tarn_join_f32(p->mode, *to, updates[i]);
        ++i;
    } while (tarn_gather_elements_next(p, at, &offset));
    return 0;
}
