/* SPDX-License-Identifier: MIT-0
 * What gathering along an axis needs to know. */
#ifndef TARN_GATHER_H
#define TARN_GATHER_H

#include "tarn_index.h"

/* x: [outer][size][inner]; indices: count of them; y: [outer][count][inner]. */
typedef struct {
    int32_t outer, size, inner, count, wide;
} tarn_gather_params;

#endif
