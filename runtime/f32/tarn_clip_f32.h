/* SPDX-License-Identifier: MIT-0
 * y = x clamped to [lo, hi], hi winning; NaN stays. y may be x. */
#ifndef TARN_CLIP_F32_H
#define TARN_CLIP_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

/* `outer` runs of `inner` elements; the runs of x and y begin x_pitch and y_pitch elements apart. */
typedef struct {
    int32_t outer, inner, x_pitch, y_pitch;
} tarn_clip_f32_params;

/* lo and hi: one number each, or null for none. */
TARN_API void tarn_clip_f32(const tarn_clip_f32_params *p, const tarn_f32 *x, const tarn_f32 *lo, const tarn_f32 *hi, tarn_f32 *y);

TARN_END_C
#endif
