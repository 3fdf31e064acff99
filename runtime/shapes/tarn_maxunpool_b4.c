/* SPDX-License-Identifier: MIT-0 */
#include "tarn_maxunpool_b4.h"

TARN_API int tarn_maxunpool_b4(const tarn_maxunpool_b4_params *p, const void *x, const int64_t *indices, void *y)
{
    const uint8_t *from = (const uint8_t *)x;
    uint8_t *to = (uint8_t *)y;
    int32_t size = 1;
    int32_t i;
    for (i = 0; i < p->rank; ++i) {
        size *= p->in[i];
    }
    for (i = 0; i < TARN_BYTES_B4 * p->total; ++i) {
        to[i] = 0;
    }
    for (i = 0; i < p->count; ++i) {
        int32_t rest, axis;
        int32_t at = 0;
        int32_t stride = 1;
        if ((indices[i] < 0) || (indices[i] >= size)) {
            return -1;
        }
        rest = (int32_t)indices[i];
        for (axis = p->rank - 1; axis >= 0; --axis) {
            const int32_t place = rest % p->in[axis];
            if (place >= p->out[axis]) {
                return -1;
            }
            at += place * stride;
            rest /= p->in[axis];
            stride *= p->out[axis];
        }
        tarn_move_b4(to + ((ptrdiff_t)TARN_BYTES_B4 * at), from + ((ptrdiff_t)TARN_BYTES_B4 * i));
    }
    return 0;
}
