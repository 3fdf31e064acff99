/* SPDX-License-Identifier: MIT-0
 * What elementwise operators on two tensors of 8-bit codes need to know. */
#ifndef TARN_QLINEAR_H
#define TARN_QLINEAR_H

#include "tarn.h"

/* y has the given dims; strides of the operands in elements, 0 along axes where they repeat. lo, hi: the range of all codes. */
typedef struct {
    int32_t rank, dims[8], a_strides[8], b_strides[8], lo, hi;
} tarn_qlinear_params;

/* Moves on to the next position of `at`, row-major, and keeps both offsets; 0 after the last one. */
TARN_INLINE int tarn_qlinear_next(const tarn_qlinear_params *p, int32_t *at, int32_t *a, int32_t *b)
{
    int32_t axis;
    for (axis = p->rank - 1; axis >= 0; --axis) {
        *a += p->a_strides[axis];
        *b += p->b_strides[axis];
        if (++at[axis] < p->dims[axis]) {
            return 1;
        }
        *a -= p->a_strides[axis] * p->dims[axis];
        *b -= p->b_strides[axis] * p->dims[axis];
        at[axis] = 0;
    }
    return 0;
}

#endif
