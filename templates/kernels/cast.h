/* SPDX-License-Identifier: MIT-0
 * @NAME@: y = x as another type; y may be x where it is no wider. */
#ifndef @GUARD@
#define @GUARD@

#include "tarn_cast.h"

TARN_BEGIN_C

TARN_API void @NAME@(const tarn_cast_params *p, const @IN@ *x, @OUT@ *y);

TARN_END_C
#endif
