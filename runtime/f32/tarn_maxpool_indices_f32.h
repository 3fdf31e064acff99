/* SPDX-License-Identifier: MIT-0
 * Max pooling that also tells where each maximum stands, channels last. */
#ifndef TARN_MAXPOOL_INDICES_F32_H
#define TARN_MAXPOOL_INDICES_F32_H

#include "tarn_pool.h"
#include "tarn_types_f32.h"

TARN_BEGIN_C

/* indices: dense, positions in x as ONNX orders it (images, channels, planes, lines, pixels; with option 1 the first
 * spatial axis runs fastest). Of equal values the first in that order of lines and pixels counts. */
TARN_API void tarn_maxpool_indices_f32(const tarn_pool_params *p, const tarn_f32 *x, tarn_f32 *y, int64_t *indices);

TARN_END_C
#endif
