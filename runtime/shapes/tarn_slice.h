/* SPDX-License-Identifier: MIT-0
 * Slices of a tensor along one axis, chosen at run time by the trip of a loop. */
#ifndef TARN_SLICE_H
#define TARN_SLICE_H

#include "tarn.h"

/* In the whole, `outer` runs of `inner` bytes each, `pitch` bytes apart, make up one slice; there are `length` slices,
 * taken from the last one on when `backwards`. */
typedef struct {
    int32_t outer, inner, pitch, length, backwards;
} tarn_slice_params;

/* Bytes from the whole's first to the slice's first. */
TARN_FORCE_INLINE int32_t tarn_slice_offset(const tarn_slice_params *p, int64_t trip)
{
    const int32_t at = (int32_t)trip;
    return ((p->backwards != 0) ? (p->length - 1 - at) : at) * p->inner;
}

#endif
