/* SPDX-License-Identifier: MIT-0
 * The indices of the elements that are not zero: y[axis][i] for the i-th of them. */
#ifndef TARN_NONZERO_F32_H
#define TARN_NONZERO_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

/* x: dense, with the given dims. capacity: how many indices y has room for. */
typedef struct {
    int32_t rank, dims[8], count, capacity;
} tarn_nonzero_f32_params;

/* y: [rank][*found], dense. Returns 0, or -1 when there are more than the capacity; *found is the capacity then. */
TARN_API int tarn_nonzero_f32(const tarn_nonzero_f32_params *p, const tarn_f32 *x, int64_t *y, int64_t *found);

TARN_END_C
#endif
