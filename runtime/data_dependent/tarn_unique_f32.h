/* SPDX-License-Identifier: MIT-0
 * The different slices of a tensor along one axis: which they are, where each first occurs and how often, and which of them
 * each slice is. */
#ifndef TARN_UNIQUE_F32_H
#define TARN_UNIQUE_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

/* x: [outer][size][inner]; capacity: how many slices the outputs have room for. sorted: in ascending order of their elements,
 * NaN last; else in the order in which they first occur. */
typedef struct {
    int32_t outer, size, inner, capacity, sorted;
} tarn_unique_f32_params;

/* y: [outer][found][inner], first and counts: [found], inverse: [size]; each but y may be NULL, and so may
 * found, the place for their number. order, group: [size] each, scratch. Outputs share no memory with x. Returns 0, or -1 when there are more than
 * the capacity; the rest is left out then. */
TARN_API int32_t tarn_unique_f32(const tarn_unique_f32_params *p, const tarn_f32 *x, tarn_f32 *y, int64_t *first, int64_t *inverse,
                                 int64_t *counts, int64_t *found, int32_t *order, int32_t *group);

TARN_END_C
#endif
