/* SPDX-License-Identifier: MIT-0
 * Discrete Fourier transforms of frames of a signal that follow each other at equal distances. */
#ifndef TARN_STFT_F32_H
#define TARN_STFT_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

/* x: [batches][size] numbers of x_parts (1 real, 2 complex); y: [batches][frames][bins] complex numbers; frames of `length`
 * points. step: their distance, unless it is known only at run time, as a 64-bit (wide) or 32-bit number. */
typedef struct {
    int32_t batches, size, x_parts, frames, bins, length, step, wide;
} tarn_stft_f32_params;

/* window: a factor per point, or NULL; table: cosine and sine of each length-th part of the circle; step: NULL for p->step. y
 * shares no memory with the others. Returns 0, or -1 when the step does not make so many frames; y is not written then. */
TARN_API int32_t tarn_stft_f32(const tarn_stft_f32_params *p, const tarn_f32 *x, const tarn_f32 *window, const tarn_acc_f32 *table,
                               const void *step, tarn_f32 *y);

TARN_END_C
#endif
