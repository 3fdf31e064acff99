/* SPDX-License-Identifier: MIT-0
 * Picks slices along one axis: y[o][i] = x[o][indices[i]], elements of 4 bytes. */
#ifndef TARN_GATHER_B4_H
#define TARN_GATHER_B4_H

#include "tarn_bytes_b4.h"
#include "tarn_gather.h"

TARN_BEGIN_C

/* Returns 0, or -1 at the first index outside the axis; y is incomplete then. y shares no memory with x or the indices. */
TARN_API int32_t tarn_gather_b4(const tarn_gather_params *p, const void *x, const void *indices, void *y);

TARN_END_C
#endif
