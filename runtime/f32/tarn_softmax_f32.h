/* SPDX-License-Identifier: MIT-0
 * Softmax of vectors: y = exp(x - max) / sum. y may be x. With inner = 1 elements are made in ascending order, each after
 * the last use of its own x. */
#ifndef TARN_SOFTMAX_F32_H
#define TARN_SOFTMAX_F32_H

#include "tarn_softmax.h"
#include "tarn_types_f32.h"

TARN_BEGIN_C

TARN_API void tarn_softmax_f32(const tarn_softmax_params *p, const tarn_f32 *x, tarn_f32 *y);

TARN_END_C
#endif
