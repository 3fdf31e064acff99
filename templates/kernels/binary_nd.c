/* SPDX-License-Identifier: MIT-0 */
#include "@NAME@.h"

TARN_API void @NAME@(const @NAME@_params *p, const @IN@ *a, const @IN_B@ *b, @OUT@ *y@MORE@)
{
    int32_t at[6] = {0, 0, 0, 0, 0, 0};
    int32_t axis;
    do {
        @INNER@(&p->run, a, b, y@PASSED@);
        y += p->y_count;
        for (axis = p->rank - 1; axis >= 0; --axis) {
            a += p->a_stride[axis];
            b += p->b_stride[axis];
            if (++at[axis] < p->dims[axis]) {
                break;
            }
            at[axis] = 0;
            a -= (ptrdiff_t)p->a_stride[axis] * p->dims[axis];
            b -= (ptrdiff_t)p->b_stride[axis] * p->dims[axis];
        }
    } while (axis >= 0);
}
