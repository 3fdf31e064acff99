/* SPDX-License-Identifier: MIT-0
 * Checks numbers that decide sizes, which were fixed when the code was generated. */
#ifndef TARN_EXPECT_F32_H
#define TARN_EXPECT_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t first, count, values[8];
} tarn_expect_f32_params;

/* Returns 0 when x holds, from position `first` on, `count` of these values (negative: any), else -1. */
TARN_API int32_t tarn_expect_f32(const tarn_expect_f32_params *p, const tarn_f32 *x);

TARN_END_C
#endif
