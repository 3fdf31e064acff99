/* SPDX-License-Identifier: MIT-0
 * Layer normalisation of int8 codes to int8 codes over vectors, in integers. y may be x. */
#ifndef TARN_INT_LAYERNORM_S8_H
#define TARN_INT_LAYERNORM_S8_H

#include "tarn.h"

TARN_BEGIN_C

/* `outer` vectors of `count` codes, fewer than 2^15, x_pitch and y_pitch elements apart. scale_step, bias_step: 1, or 0 for one
 * number. d = count * code - sum has the variance count^2 times that of the codes; (epsilon_high, epsilon_low) + (variance <<
 * room), below 2^62, is what the root is taken of, room even. A deviation d over that root has z_bits fractional bits. */
typedef struct {
    int32_t outer, count, x_pitch, y_pitch, scale_step, bias_step;
    int32_t epsilon_high, epsilon_low, room;
    int32_t z_bits;
    int32_t post;   /* fractional bits of bias and of hi32(deviation * scale) */
} tarn_int_layernorm_s8_params;

/* bias holds the zero point of y, and what rounds to the nearest code. */
TARN_API void tarn_int_layernorm_s8(const tarn_int_layernorm_s8_params *p, const int8_t *x, const int32_t *scale,
                                    const int32_t *bias, int8_t *y);

TARN_END_C
#endif
