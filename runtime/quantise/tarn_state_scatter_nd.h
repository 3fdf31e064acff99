/* SPDX-License-Identifier: MIT-0
 * y = x but for slices named by tuples of indices, x and y states in 8 bits and the slices float. */
#ifndef TARN_STATE_SCATTER_ND_H
#define TARN_STATE_SCATTER_ND_H

#include "tarn_gather_nd.h"
#include "tarn_state.h"

TARN_BEGIN_C

typedef struct {
    tarn_gather_nd_params at; /* of the codes */
    tarn_state_params state;
} tarn_state_scatter_nd_params;

/* y: like x, and may be x. The scale of a column is raised where a slice needs it, never lowered. Returns 0, or -1 at the first
 * index outside x; y is incomplete then. y shares no memory with the indices or the updates. */
TARN_API int32_t tarn_state_scatter_nd(const tarn_state_scatter_nd_params *p, const int8_t *x, const void *indices,
                                       const float *updates, int8_t *y);

TARN_END_C
#endif
