/* SPDX-License-Identifier: MIT-0
 * Softmax of 8-bit codes along one axis (com.microsoft, QLinearSoftmax). */
#ifndef TARN_QLINEAR_SOFTMAX_H
#define TARN_QLINEAR_SOFTMAX_H

#include "tarn.h"

TARN_BEGIN_C

/* x: [outer][count][inner]; lo, hi: the range of the codes. factor: floor(1 / y_scale). */
typedef struct {
    int32_t outer, count, inner, zero, lo, hi;
    float factor;
} tarn_qlinear_softmax_params;

/* table: 256 exponentials; the one of the largest code is the last. y shares no memory with x. */
TARN_API void tarn_qlinear_softmax(const tarn_qlinear_softmax_params *p, const void *x, const float *table, void *y);

TARN_END_C
#endif
