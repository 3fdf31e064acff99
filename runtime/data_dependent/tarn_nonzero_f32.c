/* SPDX-License-Identifier: MIT-0 */
#include "tarn_nonzero_f32.h"

TARN_API int tarn_nonzero_f32(const tarn_nonzero_f32_params *p, const tarn_f32 *x, int64_t *y, int64_t *found)
{
    int32_t total = 0;
    int32_t next = 0;
    int32_t i;
    int status = 0;
    for (i = 0; i < p->count; ++i) {
        total += tarn_load_f32(x[i]) != 0;
    }
    if (total > p->capacity) {
        total = p->capacity;
        status = -1;
    }
    for (i = 0; (i < p->count) && (next < total); ++i) {
        if (tarn_load_f32(x[i]) != 0) {
            int32_t rest = i;
            int32_t axis;
            for (axis = p->rank - 1; axis >= 0; --axis) {
                y[(axis * total) + next] = rest % p->dims[axis];
                rest /= p->dims[axis];
            }
            ++next;
        }
    }
    *found = total;
    return status;
}
