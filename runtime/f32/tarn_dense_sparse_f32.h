/* SPDX-License-Identifier: MIT-0
 * y[p][o] = clamp(b[o] + sum over k of x[p][k] * w[o][k] + r[p][o]) with weights of which most are zero, which are skipped. */
#ifndef TARN_DENSE_SPARSE_F32_H
#define TARN_DENSE_SPARSE_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t pixels;                    /* rows of the product */
    int32_t inputs, outputs;           /* k and o */
    int32_t x_pitch, y_pitch, r_pitch; /* elements from one pixel to the next */
    int32_t block_first, block_end;    /* pixels are computed one at a time, whatever these say */
    tarn_acc_f32 lo, hi;
} tarn_dense_sparse_f32_params;

/* w, gaps: tarn_sparse_f32.h, one row for each output; b: outputs, or NULL; r: NULL for none. y may lie over x or r as long as
 * no pixel is written before it has been read. */
TARN_API void tarn_dense_sparse_f32(const tarn_dense_sparse_f32_params *p, const tarn_f32 *x, const tarn_f32 *w,
                                    const uint8_t *gaps, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y);

/* The pixels [first, end) of it alone. */
TARN_API void tarn_dense_sparse_f32_line(const tarn_dense_sparse_f32_params *p, const tarn_f32 *x, const tarn_f32 *w,
                                         const uint8_t *gaps, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y, int32_t first,
                                         int32_t end, int32_t block);

TARN_END_C
#endif
