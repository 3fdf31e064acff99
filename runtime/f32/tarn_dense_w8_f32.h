/* SPDX-License-Identifier: MIT-0
 * A matrix product over coded weights (w8): see tarn_dense_coded_f32.h. */
#ifndef TARN_DENSE_W8_F32_H
#define TARN_DENSE_W8_F32_H

#include "tarn_dense_coded_f32.h"

TARN_BEGIN_C

/* w: [ceil(outputs/4)] times four rows of codes, scale and zero likewise; b, r, y as in tarn_dense_f32(). y may lie over x or r
 * as long as no pixel is written before it has been read; within [block_first, block_end) before four have. */
TARN_API void tarn_dense_w8_f32(const tarn_dense_coded_f32_params *p, const tarn_f32 *x, const uint8_t *w, const uint16_t *scale,
                                const int8_t *zero, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y);

/* The pixels [first, end) of it alone; four at a time if `block`. */
TARN_API void tarn_dense_w8_f32_line(const tarn_dense_coded_f32_params *p, const tarn_f32 *x, const uint8_t *w,
                                     const uint16_t *scale, const int8_t *zero, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y,
                                     int32_t first, int32_t end, int32_t block);

TARN_END_C
#endif
