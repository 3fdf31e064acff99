/* SPDX-License-Identifier: MIT-0
 * The k largest or smallest elements along an axis, best first; equal ones in the order of their indices. NaN counts as larger
 * than all numbers. */
#ifndef TARN_TOPK_F32_H
#define TARN_TOPK_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

/* x: [outer][size][inner], dense; k: how many are wanted, or room for. largest: 1 or 0. */
typedef struct {
    int32_t outer, size, inner, k, largest;
} tarn_topk_f32_params;

/* values, indices: [outer][k][inner], not x. `wanted`, if not NULL, is the k that is known only at run time: it must be p->k, or
 * at most p->k when it can be reported in found (which may be NULL). Returns 0, or -1 for a k that
 * does not fit; nothing is selected then. */
TARN_API int32_t tarn_topk_f32(const tarn_topk_f32_params *p, const tarn_f32 *x, const int64_t *wanted, tarn_f32 *values,
                               int64_t *indices, int64_t *found);

TARN_END_C
#endif
