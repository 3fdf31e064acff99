/* SPDX-License-Identifier: MIT-0
 * An operator of two int8 operands as the model defines it, in floats: y = (a op b) / y_scale + zero, rounded to even. Kernels
 * that know most codes from integers ask it for the others. */
#ifndef TARN_INT_OWN_S8_H
#define TARN_INT_OWN_S8_H

#include "tarn.h"

TARN_BEGIN_C

typedef struct {
    int32_t op; /* a + b, a - b, a * b, a / b */
    float a_scale, b_scale, y_scale;
    int32_t a_zero, b_zero, zero, lo, hi;
} tarn_int_own_s8_params;

TARN_API int32_t tarn_int_own_s8(const tarn_int_own_s8_params *p, int32_t u, int32_t v);

TARN_END_C
#endif
