/* SPDX-License-Identifier: MIT-0
 * What writing rows into a cache needs to know. */
#ifndef TARN_TENSOR_SCATTER_H
#define TARN_TENSOR_SCATTER_H

#include "tarn.h"

/* cache: [batch][outer][size][inner]; update: [batch][outer][count][inner], count at most size. circular: positions beyond the
 * end, however far, continue at the beginning. */
typedef struct {
    int32_t batch, outer, size, count, inner, circular;
} tarn_tensor_scatter_params;

#endif
