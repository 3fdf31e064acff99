/* SPDX-License-Identifier: MIT-0
 * Fills a tensor with numbers that look random, the same ones in every run. */
#ifndef TARN_RANDOM_F32_H
#define TARN_RANDOM_F32_H

#include "tarn_random.h"
#include "tarn_types_f32.h"

TARN_BEGIN_C

/* normal 0: even between `base` and base + scale; 1: of mean `base` and standard deviation `scale`. */
typedef struct {
    int32_t count, seed, normal;
    tarn_acc_f32 base, scale;
} tarn_random_f32_params;

TARN_API void tarn_random_f32(const tarn_random_f32_params *p, tarn_f32 *y);

TARN_END_C
#endif
