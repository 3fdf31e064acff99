/* SPDX-License-Identifier: MIT-0
 * LogSoftmax of vectors: y = (x - max) - log(sum of exp(x - max)). y may be x; order of elements as in Softmax. */
#ifndef TARN_LOGSOFTMAX_F32_H
#define TARN_LOGSOFTMAX_F32_H

#include "tarn_softmax.h"
#include "tarn_types_f32.h"

TARN_BEGIN_C

TARN_API void tarn_logsoftmax_f32(const tarn_softmax_params *p, const tarn_f32 *x, tarn_f32 *y);

TARN_END_C
#endif
