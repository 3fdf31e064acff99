/* SPDX-License-Identifier: MIT-0
 * One-hot vectors: y[o][d][i] is the `on` value where d is the index x[o][i], else the `off` value. */
#ifndef TARN_ONEHOT_F32_H
#define TARN_ONEHOT_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

/* x: [outer][inner]; y: [outer][depth][inner], elements of `bytes` bytes. */
typedef struct {
    int32_t outer, depth, inner, bytes;
} tarn_onehot_f32_params;

/* values: off, then on. An index below zero counts from the end; one outside [-depth, depth) makes a vector that is all off.
 * y shares no memory with the others. */
TARN_API void tarn_onehot_f32(const tarn_onehot_f32_params *p, const tarn_f32 *x, const void *values, void *y);

TARN_END_C
#endif
