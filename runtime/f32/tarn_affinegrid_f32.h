/* SPDX-License-Identifier: MIT-0
 * The places that an affine map gives to the pixels of an image or volume; for grid sampling. */
#ifndef TARN_AFFINEGRID_F32_H
#define TARN_AFFINEGRID_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t images, dims;  /* 2 or 3 coordinates */
    int32_t out[3];        /* planes, lines, pixels; one plane for two coordinates */
    int32_t align_corners;
} tarn_affinegrid_f32_params;

/* theta: [images][dims][dims + 1]. y: [images][pixels of all][dims], that along the last axis first. */
TARN_API void tarn_affinegrid_f32(const tarn_affinegrid_f32_params *p, const tarn_f32 *theta, tarn_f32 *y);

TARN_END_C
#endif
