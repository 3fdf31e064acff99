/* SPDX-License-Identifier: MIT-0
 * y = cache, but for the update's rows, which begin at positions[b] of batch b; elements of 4 bytes. */
#ifndef TARN_TENSOR_SCATTER_B4_H
#define TARN_TENSOR_SCATTER_B4_H

#include "tarn_bytes_b4.h"
#include "tarn_tensor_scatter.h"

TARN_BEGIN_C

/* positions: NULL for 0. y: like the cache, and may be it; it shares no memory with the others. Returns 0, or -1 at the first
 * row that lies outside the cache; y is incomplete then. */
TARN_API int32_t tarn_tensor_scatter_b4(const tarn_tensor_scatter_params *p, const void *cache, const void *update,
                                        const int64_t *positions, void *y);

TARN_END_C
#endif
