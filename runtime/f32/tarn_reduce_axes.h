/* SPDX-License-Identifier: MIT-0
 * Axes to reduce that are known only at run time. */
#ifndef TARN_REDUCE_AXES_H
#define TARN_REDUCE_AXES_H

#include "tarn_reduce.h"

TARN_BEGIN_C

/* x has dims[0..rank); `axes` says how many there are to reduce; none: all of them, or with `noop` not one. The output was
 * planned for `results` elements. */
typedef struct {
    int32_t rank, dims[8], axes, noop, results;
} tarn_reduce_axes_params;

/* Fills q for the axes given, which may count from the end. -1 when one is outside x or the output would be another size. */
TARN_API int tarn_reduce_axes(const tarn_reduce_axes_params *p, const int64_t *axes, tarn_reduce_params *q);

TARN_END_C
#endif
