/* SPDX-License-Identifier: MIT-0 */
#include "@NAME@.h"
@INCLUDES@
TARN_API int @NAME@(const tarn_reduce_axes_params *p, const @IN@ *x, const int64_t *axes, @IN@ *y)
{
    tarn_reduce_params q;
    if (tarn_reduce_axes(p, axes, &q) != 0) {
        return -1;
    }
    @PLAIN@(&q, x, y);
    return 0;
}
