/* SPDX-License-Identifier: MIT-0
 * y[p][o] = clamp(b[o] + sum over k of x[p][k] * w[o][k] + r[p][o]) over vectors of outputs: a matrix product, a fully
 * connected layer, or a 1x1 convolution. */
#ifndef TARN_DENSE_V8_F32_H
#define TARN_DENSE_V8_F32_H

#include "tarn_lanes.h"

TARN_BEGIN_C

typedef struct {
    int32_t pixels;                    /* rows of the product */
    int32_t inputs, outputs;           /* k and o; inputs > 0 */
    int32_t x_pitch, y_pitch, r_pitch; /* elements from one pixel to the next */
    float lo, hi;
} tarn_dense_v8_f32_params;

/* w: [ceil(outputs/8)][inputs][8], zero beyond outputs; b: [ceil(outputs/8)][8] or NULL; r: NULL for none, may be y. y lies
 * apart from x. */
TARN_API void tarn_dense_v8_f32(const tarn_dense_v8_f32_params *p, const float *x, const float *w, const float *b,
                                const float *r, float *y);

/* The pixels [first, end) of it alone. Without `block` each is read for the last time before the next is written. */
TARN_API void tarn_dense_v8_f32_line(const tarn_dense_v8_f32_params *p, const float *x, const float *w, const float *b,
                                     const float *r, float *y, int32_t first, int32_t end, int32_t block);

TARN_END_C
#endif
