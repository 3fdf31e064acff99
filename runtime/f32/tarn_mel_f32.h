/* SPDX-License-Identifier: MIT-0
 * Weights that gather a spectrum into triangular bands, evenly spread on the mel scale (ONNX, MelWeightMatrix). */
#ifndef TARN_MEL_F32_H
#define TARN_MEL_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

/* y: [bins][bands]. wide: the whole numbers have 64 bits, else 32. */
typedef struct {
    int32_t bins, bands, wide;
} tarn_mel_f32_params;

/* bands: how many there are; length: of the Fourier transform that makes the spectrum; rate: of the samples, per second; lower,
 * upper: the ends of the bands, in Hz. y shares no memory with the others. Returns 0, or -1 when they do not make y. */
TARN_API int32_t tarn_mel_f32(const tarn_mel_f32_params *p, const void *bands, const void *length, const void *rate,
                              const float *lower, const float *upper, tarn_f32 *y);

TARN_END_C
#endif
