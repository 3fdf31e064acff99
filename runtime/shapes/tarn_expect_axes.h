/* SPDX-License-Identifier: MIT-0
 * Checks axes that are known only at run time: removing them must lead to the shape that the code was generated for. */
#ifndef TARN_EXPECT_AXES_H
#define TARN_EXPECT_AXES_H

#include "tarn.h"

TARN_BEGIN_C

/* The shape with the axes is x[0..rank), the one without them y[0..y_rank), in which they count 1 where `keep` is 1. ones 1: the
 * axes must be of one element, and given once. all 1: no axes mean all of them. */
typedef struct {
    int32_t count, rank, x[8], y_rank, y[8], keep, ones, all;
} tarn_expect_axes_params;

/* axes: [count]; negative ones count from the end. Returns 0 when they lead from x to y, else -1. */
TARN_API int32_t tarn_expect_axes(const tarn_expect_axes_params *p, const int64_t *axes);

TARN_END_C
#endif
