/* SPDX-License-Identifier: MIT-0
 * Layer normalisation of int8 codes to int8 codes over vectors, in integers. y may be x. */
#ifndef TARN_INT_LAYERNORM_S8_H
#define TARN_INT_LAYERNORM_S8_H

#include "tarn_int_norm.h"

TARN_BEGIN_C

/* `outer` vectors of `count` codes, fewer than 2^15, x_pitch and y_pitch elements apart. scale_step, bias_step: 1, or 0 for one
 * number. */
typedef struct {
    int32_t outer, count, x_pitch, y_pitch, scale_step, bias_step;
    tarn_int_norm_params norm;
} tarn_int_layernorm_s8_params;

/* bias holds the zero point of y, and what rounds to the nearest code. */
TARN_API void tarn_int_layernorm_s8(const tarn_int_layernorm_s8_params *p, const int8_t *x, const int32_t *scale,
                                    const int32_t *bias, int8_t *y);

TARN_END_C
#endif
