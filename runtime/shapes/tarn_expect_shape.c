/* SPDX-License-Identifier: MIT-0 */
#include "tarn_expect_shape.h"

TARN_API int32_t tarn_expect_shape(const tarn_expect_shape_params *p, const int64_t *shape)
{
    int32_t i, open = 0;
    for (i = 0; i < p->count; ++i) {
        const int32_t at = p->y_rank - p->count + i;
        const int32_t from = p->expand ? (at - (p->y_rank - p->rank)) : i;
        const int32_t own = ((from >= 0) && (from < p->rank)) ? p->x[from] : p->expand ? 1 : -1;
        if (at < 0) {
            return -1;
        }
        if (!p->expand && (shape[i] == -1) && (open == 0)) {
            open = 1;
        } else if (!p->expand && p->copy && (shape[i] == 0)) {
            if (p->y[at] != own) {
                return -1;
            }
        } else if ((shape[i] != p->y[at]) && !(p->expand && (shape[i] == 1) && (own == p->y[at]))) {
            return -1;
        } else {
            /* as the plan has it */
        }
    }
    return 0;
}
