/* SPDX-License-Identifier: MIT-0
 * What keeping slices by a condition needs to know. */
#ifndef TARN_COMPRESS_H
#define TARN_COMPRESS_H

#include "tarn.h"

/* x: [outer][size][inner]; the condition has `count` elements, at most size; capacity: how many slices y has room for. */
typedef struct {
    int32_t outer, size, inner, count, capacity;
} tarn_compress_params;

#endif
