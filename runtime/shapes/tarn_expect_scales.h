/* SPDX-License-Identifier: MIT-0
 * Checks scales that are known only at run time: they must lead to the sizes that the code was generated for. */
#ifndef TARN_EXPECT_SCALES_H
#define TARN_EXPECT_SCALES_H

#include "tarn.h"

TARN_BEGIN_C

/* Entry i is for an axis of x[i] elements that becomes y[i] elements long. keep_ratio: of sizes, 1 not larger, 2 not smaller. */
typedef struct {
    int32_t count, x[8], y[8], keep_ratio;
} tarn_expect_scales_params;

/* scales: [count], or NULL, and sizes: [count], of which the one decides that stretches least, or most. Returns 0 when these
 * lead from x to y, else -1. */
TARN_API int32_t tarn_expect_scales(const tarn_expect_scales_params *p, const float *scales, const int64_t *sizes);

TARN_END_C
#endif
