/* SPDX-License-Identifier: MIT-0
 * Products of 8-bit codes (com.microsoft, QLinearMul): y = round((a - a_zero) * (b - b_zero) * S + y_zero), with
 * S = a_scale * b_scale / y_scale; each step in float. */
#ifndef TARN_QLINEAR_MUL_H
#define TARN_QLINEAR_MUL_H

#include "tarn_qlinear.h"

TARN_BEGIN_C

/* Zero points: NULL for 0. y may be an operand that does not repeat. */
TARN_API void tarn_qlinear_mul(const tarn_qlinear_params *p, const void *a, const float *a_scale, const void *a_zero, const void *b,
                              const float *b_scale, const void *b_zero, const float *y_scale, const void *y_zero, void *y);

TARN_END_C
#endif
