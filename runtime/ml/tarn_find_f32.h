/* SPDX-License-Identifier: MIT-0
 * Where each number stands in a list of keys. */
#ifndef TARN_FIND_F32_H
#define TARN_FIND_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t count, keys;
} tarn_find_f32_params;

/* y[i]: the first position of x[i] in keys[0 .. p->keys), p->keys when it is not there; NaN equals NaN. y may lie over x as
 * long as no x[i] is overwritten before y[i] is made. */
TARN_API void tarn_find_f32(const tarn_find_f32_params *p, const tarn_f32 *x, const tarn_f32 *keys, int64_t *y);

TARN_END_C
#endif
