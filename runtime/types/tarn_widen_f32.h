/* SPDX-License-Identifier: MIT-0
 * y = x as float. */
#ifndef TARN_WIDEN_F32_H
#define TARN_WIDEN_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t count;
} tarn_widen_f32_params;

/* y shares no memory with x. */
TARN_API void tarn_widen_f32(const tarn_widen_f32_params *p, const tarn_f32 *x, float *y);

TARN_END_C
#endif
