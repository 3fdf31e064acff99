/* SPDX-License-Identifier: MIT-0
 * y = x but for slices named by tuples of indices: y[indices[i]] = updates[i], joined with what is there as p->mode says. */
#ifndef TARN_SCATTER_ND_JOIN_F32_H
#define TARN_SCATTER_ND_JOIN_F32_H

#include "tarn_gather_nd.h"
#include "tarn_join_f32.h"

TARN_BEGIN_C

/* y: like x, and may be x. Returns 0, or -1 at the first index outside x; y is incomplete then. y shares no memory with the
 * indices or the updates. */
TARN_API int32_t tarn_scatter_nd_join_f32(const tarn_gather_nd_params *p, const tarn_f32 *x, const void *indices,
                                          const tarn_f32 *updates, tarn_f32 *y);

TARN_END_C
#endif
