/* SPDX-License-Identifier: MIT-0 */
#include "tarn_where_b4.h"

TARN_API void tarn_where_b4(const tarn_where_params *p, const uint8_t *c, const void *a, const void *b, void *y)
{
    const uint8_t *c_at = c;
    const int32_t last = p->rank - 1;
    const uint8_t *from_a = (const uint8_t *)a;
    const uint8_t *from_b = (const uint8_t *)b;
    uint8_t *to = (uint8_t *)y;
    int32_t at[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int32_t axis;
    do {
        int32_t i;
        for (i = 0; i < p->dims[last]; ++i) {
            if (c_at[(ptrdiff_t)i * p->c_step[last]] != 0) {
                tarn_move_b4(to, from_a + ((ptrdiff_t)TARN_BYTES_B4 * i * p->a_step[last]));
            } else {
                tarn_move_b4(to, from_b + ((ptrdiff_t)TARN_BYTES_B4 * i * p->b_step[last]));
            }
            to += TARN_BYTES_B4;
        }
        for (axis = last - 1; axis >= 0; --axis) {
            c_at += p->c_step[axis];
            from_a += (ptrdiff_t)TARN_BYTES_B4 * p->a_step[axis];
            from_b += (ptrdiff_t)TARN_BYTES_B4 * p->b_step[axis];
            if (++at[axis] < p->dims[axis]) {
                break;
            }
            at[axis] = 0;
            c_at -= (ptrdiff_t)p->c_step[axis] * p->dims[axis];
            from_a -= (ptrdiff_t)TARN_BYTES_B4 * p->a_step[axis] * p->dims[axis];
            from_b -= (ptrdiff_t)TARN_BYTES_B4 * p->b_step[axis] * p->dims[axis];
        }
    } while (axis >= 0);
}
