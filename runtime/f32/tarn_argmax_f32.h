/* SPDX-License-Identifier: MIT-0
 * The index of the largest element along the middle axis; the first NaN, if there is one. y: [outer][inner]. */
#ifndef TARN_ARGMAX_F32_H
#define TARN_ARGMAX_F32_H

#include "tarn_argmax.h"
#include "tarn_types_f32.h"

TARN_BEGIN_C

TARN_API void tarn_argmax_f32(const tarn_argmax_params *p, const tarn_f32 *x, int64_t *y);

TARN_END_C
#endif
