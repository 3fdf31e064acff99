/* SPDX-License-Identifier: MIT-0
 * One with the given probability, else zero; the same draws in every run. */
#ifndef TARN_BERNOULLI_F32_H
#define TARN_BERNOULLI_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

/* y: elements of `bytes` bytes. */
typedef struct {
    int32_t count, seed, bytes;
} tarn_bernoulli_f32_params;

/* values: zero, then one, of the type of y. y shares no memory with the others. */
TARN_API void tarn_bernoulli_f32(const tarn_bernoulli_f32_params *p, const tarn_f32 *x, const void *values, void *y);

TARN_END_C
#endif
