/* SPDX-License-Identifier: MIT-0
 * Layer normalisation of int8 codes to int8 codes over vectors: sums and squares in integers, elements in floats that are no tensor.
 * y may be x. */
#ifndef TARN_INT_LAYERNORM_S8_H
#define TARN_INT_LAYERNORM_S8_H

#include "tarn.h"

TARN_BEGIN_C

/* `outer` vectors of `count` codes, at most 2^17, x_pitch and y_pitch elements apart. x_scale: of x; scale_step, bias_step: 1, or 0 for
 * one number. */
typedef struct {
    int32_t outer, count, x_pitch, y_pitch, scale_step, bias_step;
    float x_scale, epsilon;
    int32_t zero;   /* of y */
} tarn_int_layernorm_s8_params;

/* scale and bias are in steps of y; bias may be null. */
TARN_API void tarn_int_layernorm_s8(const tarn_int_layernorm_s8_params *p, const int8_t *x, const float *scale, const float *bias,
                                    int8_t *y);

TARN_END_C
#endif
