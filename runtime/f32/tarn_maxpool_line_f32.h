/* SPDX-License-Identifier: MIT-0
 * One line of max pooling. */
#ifndef TARN_MAXPOOL_LINE_F32_H
#define TARN_MAXPOOL_LINE_F32_H

#include "tarn_pool.h"
#include "tarn_types_f32.h"

TARN_BEGIN_C

/* Writes the pixels [first, end) of one line. rows[i]: first pixel of the input line under row i of the window, NULL where
 * it is padding. */
TARN_API void tarn_maxpool_line_f32(const tarn_pool_line_params *p, const tarn_f32 *const *rows, tarn_f32 *y, int32_t first,
                                   int32_t end);

TARN_END_C
#endif
