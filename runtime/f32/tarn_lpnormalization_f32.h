/* SPDX-License-Identifier: MIT-0
 * y = x / norm for vectors, norm the sum of magnitudes (order 1) or the root of the sum of squares (order 2); vectors of
 * zeros stay. y may be x. */
#ifndef TARN_LPNORMALIZATION_F32_H
#define TARN_LPNORMALIZATION_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

/* [outer][count][inner], dense; the vectors run along the middle axis. */
typedef struct {
    int32_t outer, count, inner, order;
} tarn_lpnormalization_f32_params;

TARN_API void tarn_lpnormalization_f32(const tarn_lpnormalization_f32_params *p, const tarn_f32 *x, tarn_f32 *y);

TARN_END_C
#endif
