/* SPDX-License-Identifier: MIT-0
 * Picks slices by tuples of indices: y[b][i] = x[b][indices[b][i]], elements of 4 bytes. */
#ifndef TARN_GATHER_ND_B4_H
#define TARN_GATHER_ND_B4_H

#include "tarn_bytes_b4.h"
#include "tarn_gather_nd.h"

TARN_BEGIN_C

/* y: [batch][count][inner]. Returns 0, or -1 at the first index outside x; y is incomplete then. y shares no memory with x or
 * the indices. */
TARN_API int32_t tarn_gather_nd_b4(const tarn_gather_nd_params *p, const void *x, const void *indices, void *y);

TARN_END_C
#endif
