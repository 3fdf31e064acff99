/* SPDX-License-Identifier: MIT-0 */
#include "tarn_expect_axes.h"

TARN_API int32_t tarn_expect_axes(const tarn_expect_axes_params *p, const int64_t *axes)
{
    uint32_t removed = ((p->count == 0) && p->all) ? 0xffU : 0U;
    int32_t i, at = 0;
    for (i = 0; i < p->count; ++i) {
        const int64_t axis = (axes[i] < 0) ? (axes[i] + p->rank) : axes[i];
        if ((axis < 0) || (axis >= p->rank)) {
            return -1;
        }
        if (p->ones && ((p->x[axis] != 1) || (((removed >> axis) & 1U) != 0U))) {
            return -1;
        }
        removed |= 1U << axis;
    }
    for (i = 0; i < p->rank; ++i) {
        const int out = (int)((removed >> i) & 1U);
        if (out && !p->keep) {
            continue;
        }
        if ((at >= p->y_rank) || (p->y[at] != (out ? 1 : p->x[i]))) {
            return -1;
        }
        ++at;
    }
    return (at == p->y_rank) ? 0 : -1;
}
