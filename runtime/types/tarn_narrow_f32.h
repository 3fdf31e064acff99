/* SPDX-License-Identifier: MIT-0
 * y = x, rounded to the type of y. */
#ifndef TARN_NARROW_F32_H
#define TARN_NARROW_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t count;
} tarn_narrow_f32_params;

/* y shares no memory with x. */
TARN_API void tarn_narrow_f32(const tarn_narrow_f32_params *p, const float *x, tarn_f32 *y);

TARN_END_C
#endif
