/* SPDX-License-Identifier: MIT-0
 * @NAME@: sums of products over named axes. b may be null: sums of a. */
#ifndef @GUARD@
#define @GUARD@

#include "tarn_einsum.h"

TARN_BEGIN_C

TARN_API void @NAME@(const tarn_einsum_params *p, const @IN@ *a, const @IN@ *b, @IN@ *y);

TARN_END_C
#endif
