/* SPDX-License-Identifier: MIT-0
 * @NAME@: @TEXT@ of the elements along the reduced axes, v; of none: what a sum of nothing or the least number gives.
 * y is written upwards, up to eight elements at a time, after all that these are made of has been read. */
#ifndef @GUARD@
#define @GUARD@

#include "tarn_reduce.h"

TARN_BEGIN_C

TARN_API void @NAME@(const tarn_reduce_params *p, const @IN@ *x, @IN@ *y);

TARN_END_C
#endif
