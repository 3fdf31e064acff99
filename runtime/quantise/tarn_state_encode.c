/* SPDX-License-Identifier: MIT-0 */
#include "tarn_state_encode.h"

TARN_API void tarn_state_encode(const tarn_state_params *p, const float *x, int8_t *y)
{
    int32_t c;
    for (c = 0; c < p->columns; ++c) {
        uint32_t scale = 0u;
        int32_t i;
        for (i = c; i < p->count; i += p->columns) {
            const uint32_t needed = tarn_state_scale_for(x[i]);
            scale = (needed > scale) ? needed : scale;
        }
        y[c] = (int8_t)((scale < 128u) ? (int32_t)scale : ((int32_t)scale - 256));
        for (i = c; i < p->count; i += p->columns) {
            y[p->columns + i] = tarn_state_code(x[i], scale);
        }
    }
}
