/* SPDX-License-Identifier: MIT-0
 * @NAME@: @TEXT@ of the elements along axes that are read at run time. x and y do not overlap. */
#ifndef @GUARD@
#define @GUARD@

#include "tarn_reduce_axes.h"

TARN_BEGIN_C

/* -1 when the axes are none of x, or give another size than the output was planned for. */
TARN_API int @NAME@(const tarn_reduce_axes_params *p, const @IN@ *x, const int64_t *axes, @IN@ *y);

TARN_END_C
#endif
