/* SPDX-License-Identifier: MIT-0
 * What the strided copies have in common: transposes, broadcasts, slices with steps. */
#ifndef TARN_STRIDED_H
#define TARN_STRIDED_H

#include "tarn.h"

/* y, dense with rank <= 8 axes of dims[i] > 0 elements, takes x[offset + sum of at[i] * strides[i]]; in elements. */
typedef struct {
    int32_t rank, dims[8], strides[8], offset;
} tarn_strided_params;

#endif
