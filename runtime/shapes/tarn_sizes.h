/* SPDX-License-Identifier: MIT-0
 * Writes sizes that were not known while generating: the shape of a tensor, or its number of elements. */
#ifndef TARN_SIZES_H
#define TARN_SIZES_H

#include "tarn.h"

TARN_BEGIN_C

typedef struct {
    int32_t count, values[8];
} tarn_sizes_params;

TARN_API void tarn_sizes(const tarn_sizes_params *p, int64_t *y);

TARN_END_C
#endif
