/* SPDX-License-Identifier: MIT-0 */
#include "tarn_pad_run_time_b4.h"

/* Axis `axis` padded (below 0: cut) by begin and end. */
static int32_t pad_run_time_axis_b4(const tarn_pad_run_time_params *p, tarn_pad_params *plan, int64_t axis, int64_t begin,
                                    int64_t end)
{
    int64_t axis_now = axis;
    const int64_t most = INT32_MAX / 4;
    int32_t i;
    int64_t cut = 0;
    axis_now = (axis_now < 0) ? (axis_now + p->rank) : axis_now;
    if ((axis_now < 0) || (axis_now >= p->rank) || (begin < -most) || (begin > most) || (end < -most) || (end > most)) {
        return -1;
    }
    i = (int32_t)axis_now;
    if ((begin + end + p->in[i]) != p->out[i]) {
        return -1;
    }
    if (begin < 0) {
        cut = -begin;
        plan->offset += (int32_t)cut * plan->stride[i];
    }
    if (end < 0) {
        cut -= end;
    }
    plan->in[i] = (int32_t)(p->in[i] - cut);
    plan->begin[i] = (begin > 0) ? (int32_t)begin : 0;
    if ((plan->in[i] < 0) || ((plan->in[i] == 0) && (p->mode != TARN_PAD_CONSTANT))) {
        return -1;
    }
    return 0;
}

TARN_API int32_t tarn_pad_run_time_b4(const tarn_pad_run_time_params *p, const void *x, const int64_t *pads, const int64_t *axes,
                                      const void *value, void *y)
{
    tarn_pad_params plan;
    int32_t stride = 1;
    int32_t i;
    plan.rank = p->rank;
    plan.mode = p->mode;
    plan.inner = 1;
    plan.offset = 0;
    for (i = p->rank - 1; i >= 0; --i) {
        plan.in[i] = p->in[i];
        plan.out[i] = p->out[i];
        plan.begin[i] = 0;
        plan.stride[i] = stride;
        stride *= p->in[i];
    }
    for (i = 0; i < p->count; ++i) {
        if (pad_run_time_axis_b4(p, &plan, (axes != NULL) ? axes[i] : i, pads[i], pads[p->count + i]) != 0) {
            return -1;
        }
    }
    for (i = 0; i < p->rank; ++i) {
        int32_t given = 0;
        int32_t k;
        for (k = 0; k < p->count; ++k) {
            const int64_t axis = (axes != NULL) ? axes[k] : k;
            given += (axis == i) || ((axis + p->rank) == i);
        }
        if ((given > 1) || ((given == 0) && (p->in[i] != p->out[i]))) {
            return -1;
        }
    }
    tarn_pad_b4(&plan, x, value, y);
    return 0;
}
