/* SPDX-License-Identifier: MIT-0 */
#include "tarn_reduce_axes.h"

TARN_API int tarn_reduce_axes(const tarn_reduce_axes_params *p, const int64_t *axes, tarn_reduce_params *q)
{
    int32_t reduced[8];
    int32_t i;
    int32_t step = 1;
    int32_t kept_at = 3;
    int32_t reduced_at = 3;
    int32_t last = -1;
    int32_t results = 1;
    for (i = 0; i < 8; ++i) {
        reduced[i] = (p->axes == 0) && (p->noop == 0);
    }
    for (i = 0; i < p->axes; ++i) {
        const int64_t axis = (axes[i] < 0) ? (axes[i] + p->rank) : axes[i];
        if ((axis < 0) || (axis >= p->rank)) {
            return -1;
        }
        reduced[axis] = 1;
    }
    for (i = 0; i < 4; ++i) {
        q->kept[i] = 1;
        q->kept_step[i] = 0;
        q->reduced[i] = 1;
        q->reduced_step[i] = 0;
    }
    q->columns = 1;
    q->count = 1;
    /* From the last axis on: a run of axes of one kind is one loop. Of eight axes there are at most four runs of each. */
    for (i = p->rank - 1; i >= 0; --i) {
        const int32_t d = p->dims[i];
        if (reduced[i] != 0) {
            q->count *= d;
            if (last != 1) {
                q->reduced[reduced_at] = d;
                q->reduced_step[reduced_at] = step;
                --reduced_at;
            } else {
                q->reduced[reduced_at + 1] *= d;
            }
        } else {
            results *= d;
            if (last != 0) {
                q->kept[kept_at] = d;
                q->kept_step[kept_at] = step;
                --kept_at;
            } else {
                q->kept[kept_at + 1] *= d;
            }
        }
        last = reduced[i];
        step *= d;
    }
    return (results == p->results) ? 0 : -1;
}
