/* SPDX-License-Identifier: MIT-0
 * One function under the name that kernels for all real types use. */
#ifndef @GUARD@
#define @GUARD@

#include "tarn_math_@FUNCTION@.h"

#define @ALIAS@ tarn_@FUNCTION@

#endif
