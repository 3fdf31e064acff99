/* SPDX-License-Identifier: MIT-0 */
#include "@NAME@.h"
@INCLUDES@
static @COMPUTE@ @NAME@_sum(const tarn_einsum_params *p, const @IN@ *a, const @IN@ *b)
{
    @COMPUTE@ s = 0;
    int32_t at[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int32_t axis;
    do {
        const @COMPUTE@ u = @LOAD_A@;
        if (b) {
            const @COMPUTE@ v = @LOAD_B@;
            s = @STEP@;
        } else {
            s = @ADD@;
        }
        for (axis = p->sum_rank - 1; axis >= 0; --axis) {
            a += p->sum_a_step[axis];
            b = b ? b + p->sum_b_step[axis] : b;
            if (++at[axis] < p->sum_dims[axis]) {
                break;
            }
            at[axis] = 0;
            a -= (ptrdiff_t)p->sum_a_step[axis] * p->sum_dims[axis];
            b = b ? b - (ptrdiff_t)p->sum_b_step[axis] * p->sum_dims[axis] : b;
        }
    } while (axis >= 0);
    return s;
}

TARN_API void @NAME@(const tarn_einsum_params *p, const @IN@ *a, const @IN@ *b, @IN@ *y)
{
    int32_t at[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int32_t axis;
    const int32_t i = 0;
    do {
        const @COMPUTE@ s = @NAME@_sum(p, a, b);
        @STORE@
        ++y;
        for (axis = p->rank - 1; axis >= 0; --axis) {
            a += p->a_step[axis];
            b = b ? b + p->b_step[axis] : b;
            if (++at[axis] < p->dims[axis]) {
                break;
            }
            at[axis] = 0;
            a -= (ptrdiff_t)p->a_step[axis] * p->dims[axis];
            b = b ? b - (ptrdiff_t)p->b_step[axis] * p->dims[axis] : b;
        }
    } while (axis >= 0);
}
