/* SPDX-License-Identifier: MIT-0
 * Squared distances between examples and points. */
#ifndef TARN_DISTANCES_F32_H
#define TARN_DISTANCES_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t examples, points, size;
} tarn_distances_f32_params;

/* x[examples][size], points[points][size], y[examples][points]; y may not lie over x. */
TARN_API void tarn_distances_f32(const tarn_distances_f32_params *p, const tarn_f32 *x, const tarn_f32 *points,
                                 tarn_f32 *y);

TARN_END_C
#endif
