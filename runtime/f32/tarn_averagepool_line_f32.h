/* SPDX-License-Identifier: MIT-0
 * One line of average pooling. */
#ifndef TARN_AVERAGEPOOL_LINE_F32_H
#define TARN_AVERAGEPOOL_LINE_F32_H

#include "tarn_pool.h"
#include "tarn_types_f32.h"

TARN_BEGIN_C

/* Writes the pixels [first, end) of one line. rows[i]: first pixel of the input line under row i of the window, NULL where
 * it is padding;
 * padded_rows: how many of them lie in the image and its padding. */
TARN_API void tarn_averagepool_line_f32(const tarn_pool_line_params *p, const tarn_f32 *const *rows, tarn_f32 *y, int32_t first,
                                   int32_t end, int32_t padded_rows);

TARN_END_C
#endif
