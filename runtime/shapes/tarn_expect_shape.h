/* SPDX-License-Identifier: MIT-0
 * Checks a shape that is known only at run time: it must lead to the one that the code was generated for. */
#ifndef TARN_EXPECT_SHAPE_H
#define TARN_EXPECT_SHAPE_H

#include "tarn.h"

TARN_BEGIN_C

/* The operand is x[0..rank), the result y[0..y_rank). expand 0: the shape says what the result is, with one -1 for what remains
 * and, if copy is 1, 0 for an axis as in x; 1: x was broadcast together with the shape. */
typedef struct {
    int32_t count, expand, copy, rank, x[8], y_rank, y[8];
} tarn_expect_shape_params;

/* shape: [count]. Returns 0 when it leads from x to y, else -1. */
TARN_API int32_t tarn_expect_shape(const tarn_expect_shape_params *p, const int64_t *shape);

TARN_END_C
#endif
