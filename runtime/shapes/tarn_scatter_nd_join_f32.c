/* SPDX-License-Identifier: MIT-0 */
#include "tarn_scatter_nd_join_f32.h"

TARN_API int32_t tarn_scatter_nd_join_f32(const tarn_gather_nd_params *p, const tarn_f32 *x, const void *indices,
                                          const tarn_f32 *updates, tarn_f32 *y)
{
    const tarn_f32 *updates_at = updates;
    int32_t i;
    for (i = (y != x) ? 0 : p->total; i < p->total; ++i) { /* nothing where y lies over x */
        y[i] = x[i];
    }
    for (i = 0; i < p->count; ++i) {
        const int32_t offset = tarn_gather_nd_offset(p, indices, i);
        int32_t k;
        if (offset < 0) {
            return -1;
        }
        for (k = 0; k < p->inner; ++k) {
            y[offset + k] = tarn_join_f32(p->mode, y[offset + k], *updates_at);
            ++updates_at;
        }
    }
    return 0;
}
