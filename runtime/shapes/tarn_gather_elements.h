/* SPDX-License-Identifier: MIT-0
 * What taking or putting elements at indices along one axis needs to know. */
#ifndef TARN_GATHER_ELEMENTS_H
#define TARN_GATHER_ELEMENTS_H

#include "tarn_index.h"

/* The indices have the given dims. `strides` and `step` belong to the tensor that is indexed: an element lies at the sum of
 * position * stride over all axes (0 for the indexed one) plus index * step; the indexed axis has `size` elements. mode: how
 * what is put joins what is there (TARN_JOIN_ADD ...), where that is asked for; total: elements of the indexed tensor. */
typedef struct {
    int32_t rank, dims[8], strides[8], step, size, wide, mode, total;
} tarn_gather_elements_params;

/* Moves on to the next position of `at`, row-major, and keeps the offset; 0 after the last one. */
TARN_INLINE int tarn_gather_elements_next(const tarn_gather_elements_params *p, int32_t *at, int32_t *offset)
{
    int32_t axis;
    for (axis = p->rank - 1; axis >= 0; --axis) {
        *offset += p->strides[axis];
        if (++at[axis] < p->dims[axis]) {
            return 1;
        }
        *offset -= p->strides[axis] * p->dims[axis];
        at[axis] = 0;
    }
    return 0;
}

#endif
