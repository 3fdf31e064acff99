/* SPDX-License-Identifier: MIT-0
 * What taking or putting slices at index tuples needs to know. */
#ifndef TARN_GATHER_ND_H
#define TARN_GATHER_ND_H

#include "tarn_index.h"

/* indices: [batch][count][depth]. The indexed tensor: batches of `pitch` elements; the d-th index of a tuple runs over
 * sizes[d] positions `strides[d]` elements apart; a tuple names a slice of `inner` elements. mode: how what is put joins what
 * is there (TARN_JOIN_ADD ...), where that is asked for; total: elements of the indexed tensor. */
typedef struct {
    int32_t batch, count, depth, inner, pitch, sizes[8], strides[8], wide, mode, total;
} tarn_gather_nd_params;

/* Where the slice that tuple i names begins in its batch, in elements; -1 when an index lies outside. */
TARN_INLINE int32_t tarn_gather_nd_offset(const tarn_gather_nd_params *p, const void *indices, int32_t i)
{
    int32_t offset = 0;
    int32_t d;
    for (d = 0; d < p->depth; ++d) {
        const int32_t index = tarn_index(indices, p->wide, (i * p->depth) + d, p->sizes[d]);
        if (index < 0) {
            return -1;
        }
        offset += index * p->strides[d];
    }
    return offset;
}

#endif
