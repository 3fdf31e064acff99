/* SPDX-License-Identifier: MIT-0
 * Pooling over whole images, channels last. */
#ifndef TARN_MAXPOOL_F32_H
#define TARN_MAXPOOL_F32_H

#include "tarn_maxpool_line_f32.h"

TARN_BEGIN_C

/* lines: room for line.rows pointers. y may lie over x as long as no pixel is written before it has been read. */
TARN_API void tarn_maxpool_f32(const tarn_pool_params *p, const tarn_f32 *x, tarn_f32 *y, const tarn_f32 **lines);

TARN_END_C
#endif
