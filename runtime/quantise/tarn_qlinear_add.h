/* SPDX-License-Identifier: MIT-0
 * Sums of 8-bit codes (com.microsoft, QLinearAdd): y = round(a * ra + (b * rb + (y_zero - (a_zero * ra + b_zero * rb)))), with
 * ra = a_scale / y_scale and rb = b_scale / y_scale; each sum takes an exact product and is rounded once. */
#ifndef TARN_QLINEAR_ADD_H
#define TARN_QLINEAR_ADD_H

#include "tarn_qlinear.h"

TARN_BEGIN_C

/* Zero points: NULL for 0. y may be an operand that does not repeat. */
TARN_API void tarn_qlinear_add(const tarn_qlinear_params *p, const void *a, const float *a_scale, const void *a_zero, const void *b,
                              const float *b_scale, const void *b_zero, const float *y_scale, const void *y_zero, void *y);

TARN_END_C
#endif
