/* SPDX-License-Identifier: MIT-0
 * y = x but for slices named by tuples of indices: y[indices[i]] = updates[i], elements of 4 bytes. */
#ifndef TARN_SCATTER_ND_B4_H
#define TARN_SCATTER_ND_B4_H

#include "tarn_bytes_b4.h"
#include "tarn_gather_nd.h"

TARN_BEGIN_C

/* y: like x, and may be x. Returns 0, or -1 at the first index outside x; y is incomplete then. y shares no memory with the
 * indices or the updates. */
TARN_API int32_t tarn_scatter_nd_b4(const tarn_gather_nd_params *p, const void *x, const void *indices, const void *updates,
                                    void *y);

TARN_END_C
#endif
