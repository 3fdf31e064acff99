/* SPDX-License-Identifier: MIT-0
 * Padding of 4-byte elements by amounts that are known only at run time. */
#ifndef TARN_PAD_RUN_TIME_B4_H
#define TARN_PAD_RUN_TIME_B4_H

#include "tarn_pad_b4.h"
#include "tarn_pad_run_time.h"

TARN_BEGIN_C

/* pads: count numbers for the beginnings, count for the ends; axes: whose they are, NULL for all in order; value as for
 * tarn_pad_b4. Returns 0, or -1 when the pads do not make y of x; y is not written then. */
TARN_API int32_t tarn_pad_run_time_b4(const tarn_pad_run_time_params *p, const void *x, const int64_t *pads, const int64_t *axes,
                                      const void *value, void *y);

TARN_END_C
#endif
