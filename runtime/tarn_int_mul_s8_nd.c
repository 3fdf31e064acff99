/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_mul_s8_nd.h"

TARN_API void tarn_int_mul_s8_nd(const tarn_int_mul_s8_nd_params *p, const int8_t *a, const int8_t *b, int8_t *y,
                             const int32_t *exceptions)
{
    int32_t at[6] = {0, 0, 0, 0, 0, 0};
    for (;;) {
        int32_t axis = p->rank - 1;
        tarn_int_mul_s8(&p->run, a, b, y, exceptions);
        y += p->y_count;
        while (axis >= 0 && ++at[axis] == p->dims[axis]) {
            a -= (p->dims[axis] - 1) * p->a_stride[axis];
            b -= (p->dims[axis] - 1) * p->b_stride[axis];
            at[axis] = 0;
            --axis;
        }
        if (axis < 0) {
            break;
        }
        a += p->a_stride[axis];
        b += p->b_stride[axis];
    }
}
