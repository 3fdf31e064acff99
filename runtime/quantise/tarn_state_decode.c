/* SPDX-License-Identifier: MIT-0 */
#include "tarn_state_decode.h"

TARN_API void tarn_state_decode(const tarn_state_params *p, const int8_t *x, float *y)
{
    const int8_t *codes = x + p->columns;
    int32_t i = 0;
    while (i < p->count) {
        int32_t c;
        for (c = 0; c < p->columns; ++c) {
            y[i] = (float)codes[i] * tarn_state_scale(x[c]);
            ++i;
        }
    }
}
