/* SPDX-License-Identifier: MIT-0 */
#include "tarn_pad_b4.h"

TARN_API void tarn_pad_b4(const tarn_pad_params *p, const void *x, const void *value, void *y)
{
    static const uint8_t zero[TARN_BYTES_B4] = {0};
    const uint8_t *fill = (value != NULL) ? (const uint8_t *)value : zero;
    const int32_t last = p->rank - 1;
    uint8_t *to = (uint8_t *)y;
    int32_t at[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int32_t axis;
    do {
        int32_t row = p->offset;
        int32_t outside = x == NULL;
        int32_t i;
        for (axis = 0; axis < last; ++axis) {
            const int32_t s = tarn_pad_source(p->mode, p->in[axis], at[axis] - p->begin[axis]);
            outside |= s < 0;
            row += s * p->stride[axis];
        }
        for (i = 0; i < p->out[last]; ++i) {
            const int32_t s = (outside != 0) ? -1 : tarn_pad_source(p->mode, p->in[last], i - p->begin[last]);
            const uint8_t *from = (s < 0) ? fill : ((const uint8_t *)x + ((ptrdiff_t)TARN_BYTES_B4 * (row + (s * p->stride[last]))));
            const int32_t step = (s < 0) ? 0 : TARN_BYTES_B4;
            int32_t k;
            for (k = 0; k < p->inner; ++k) {
                tarn_move_b4(to, from);
                to += TARN_BYTES_B4;
                from += step;
            }
        }
        for (axis = last - 1; axis >= 0; --axis) {
            if (++at[axis] < p->out[axis]) {
                break;
            }
            at[axis] = 0;
        }
    } while (axis >= 0);
}
