/* SPDX-License-Identifier: MIT-0
 * Samples of images or volumes, channels last, at the places that a grid gives. */
#ifndef TARN_GRIDSAMPLE_F32_H
#define TARN_GRIDSAMPLE_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

enum { TARN_GRIDSAMPLE_F32_ZEROS, TARN_GRIDSAMPLE_F32_BORDER, TARN_GRIDSAMPLE_F32_REFLECTION };

typedef struct {
    int32_t images, samples;   /* samples per image */
    int32_t dims;              /* 1 to 3: coordinates of a sample, that along the last axis first */
    int32_t in[3];             /* planes, lines, pixels; 1 where there are fewer axes */
    int32_t channels;
    int32_t taps;              /* 1 nearest, 2 linear, 4 cubic */
    int32_t padding;           /* of the list above */
    int32_t align_corners;
} tarn_gridsample_f32_params;

/* x, grid and y are dense. Coordinates go from -1 to 1. Samples are made in order; y may lie over the grid where that has
 * been read. */
TARN_API void tarn_gridsample_f32(const tarn_gridsample_f32_params *p, const tarn_f32 *x, const float *grid, tarn_f32 *y);

TARN_END_C
#endif
