/* SPDX-License-Identifier: MIT-0
 * Numbers that advance evenly: start, start + delta, ... up to the limit, which is not among them. */
#ifndef TARN_RANGE_S32_H
#define TARN_RANGE_S32_H

#include "tarn_types_s32.h"

TARN_BEGIN_C

/* capacity: how many numbers y has room for. */
typedef struct {
    int32_t capacity;
} tarn_range_s32_params;

/* found may be NULL when the capacity is what will be found. Returns 0, or -1 when that is not so, there are more, or delta is
 * 0. y shares no memory with the others. */
TARN_API int32_t tarn_range_s32(const tarn_range_s32_params *p, const tarn_s32 *start, const tarn_s32 *limit, const tarn_s32 *delta,
                                tarn_s32 *y, int64_t *found);

TARN_END_C
#endif
