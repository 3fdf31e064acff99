/* SPDX-License-Identifier: MIT-0
 * @NAME@: the running @TEXT@ along an axis; y may be x. */
#ifndef @GUARD@
#define @GUARD@

#include "tarn_scan.h"

TARN_BEGIN_C

/* axis: negative counts from the end. Returns 0, or -1 when there is no such axis; y is left alone then. */
TARN_API int @NAME@(const tarn_scan_params *p, const @IN@ *x, const int64_t *axis, @IN@ *y);

TARN_END_C
#endif
