/* SPDX-License-Identifier: MIT-0
 * @NAME@: @TEXT@ of the elements along the reduced axes, v; of none: what a sum of nothing or the least number gives. x and y
 * do not overlap. */
#ifndef @GUARD@
#define @GUARD@

#include "tarn_reduce.h"

TARN_BEGIN_C

TARN_API void @NAME@(const tarn_reduce_params *p, const @IN@ *x, @IN@ *y);

TARN_END_C
#endif
