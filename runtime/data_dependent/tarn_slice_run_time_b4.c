/* SPDX-License-Identifier: MIT-0 */
#include "tarn_slice_run_time_b4.h"

TARN_API int32_t tarn_slice_run_time_b4(const tarn_slice_part_params *p, const void *x, const void *starts, const void *ends,
                                        const void *axes, const void *steps, void *y)
{
    tarn_strided_params plan;
    int32_t pitch = 1;
    int32_t empty = 0;
    int32_t axis;
    plan.rank = p->rank;
    plan.offset = 0;
    for (axis = p->rank - 1; axis >= 0; --axis) {
        tarn_slice_part_axis part;
        if ((tarn_slice_part_find(p, starts, ends, axes, steps, axis, &part) != 0) || (part.size != p->out[axis])) {
            return -1;
        }
        plan.dims[axis] = part.size;
        plan.strides[axis] = part.step * pitch;
        plan.offset += part.first * pitch;
        pitch *= p->in[axis];
        empty |= part.size == 0;
    }
    if (!empty) {
        tarn_strided_b4(&plan, x, y);
    }
    return 0;
}
