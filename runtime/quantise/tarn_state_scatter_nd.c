/* SPDX-License-Identifier: MIT-0 */
#include "tarn_state_scatter_nd.h"

/* All codes of a column at a larger scale. */
static void state_scatter_nd_raise(const tarn_state_params *p, int8_t *y, int32_t column, uint32_t scale)
{
    const uint32_t before = (uint32_t)y[column] & 255u;
    if (before != 0u) {
        int8_t *codes = y + p->columns;
        int32_t i;
        for (i = column; i < p->count; i += p->columns) {
            codes[i] = tarn_state_raise(codes[i], scale - before);
        }
    }
    y[column] = (int8_t)((scale < 128u) ? (int32_t)scale : ((int32_t)scale - 256));
}

TARN_API int32_t tarn_state_scatter_nd(const tarn_state_scatter_nd_params *p, const int8_t *x, const void *indices,
                                       const float *updates, int8_t *y)
{
    const tarn_state_params *state = &p->state;
    const int32_t bytes = (x != y) ? (state->columns + state->count) : 0; /* nothing where y is x */
    const float *update = updates;
    int32_t i;
    for (i = 0; i < bytes; ++i) {
        y[i] = x[i];
    }
    for (i = 0; i < p->at.count; ++i) {
        const int32_t offset = tarn_gather_nd_offset(&p->at, indices, i);
        int32_t column;
        int32_t k;
        if (offset < 0) {
            return -1;
        }
        column = offset % state->columns;
        for (k = 0; k < p->at.inner; ++k) {
            const uint32_t needed = tarn_state_scale_for(*update);
            if (needed > ((uint32_t)y[column] & 255u)) {
                state_scatter_nd_raise(state, y, column, needed);
            }
            y[state->columns + offset + k] = tarn_state_code(*update, (uint32_t)y[column] & 255u);
            ++update;
            ++column;
            column = (column < state->columns) ? column : 0;
        }
    }
    return 0;
}
