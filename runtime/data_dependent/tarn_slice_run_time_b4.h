/* SPDX-License-Identifier: MIT-0
 * A slice of 4-byte elements whose bounds are known only at run time. */
#ifndef TARN_SLICE_RUN_TIME_B4_H
#define TARN_SLICE_RUN_TIME_B4_H

#include "tarn_slice_part.h"
#include "tarn_strided_b4.h"

TARN_BEGIN_C

/* axes NULL: the first ones in order; steps NULL: 1. y shares no memory with the others. Returns 0, or -1 when the bounds do not
 * make y of x; y is not written then. */
TARN_API int32_t tarn_slice_run_time_b4(const tarn_slice_part_params *p, const void *x, const void *starts, const void *ends,
                                        const void *axes, const void *steps, void *y);

TARN_END_C
#endif
