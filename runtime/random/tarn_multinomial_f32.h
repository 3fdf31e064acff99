/* SPDX-License-Identifier: MIT-0
 * Draws classes by their probabilities; the same draws in every run. */
#ifndef TARN_MULTINOMIAL_F32_H
#define TARN_MULTINOMIAL_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

/* x: [rows][classes], logarithms of probabilities, up to an addend per row; y: [rows][draws], of 64 bits (wide) or 32. */
typedef struct {
    int32_t rows, classes, draws, seed, wide;
} tarn_multinomial_f32_params;

/* y shares no memory with x. */
TARN_API void tarn_multinomial_f32(const tarn_multinomial_f32_params *p, const tarn_f32 *x, void *y);

TARN_END_C
#endif
