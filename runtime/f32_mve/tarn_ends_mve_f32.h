/* SPDX-License-Identifier: MIT-0
 * Sums of kernels named _mve_f32 become outputs: a residual is added, they are clamped and written. */
#ifndef TARN_ENDS_MVE_F32_H
#define TARN_ENDS_MVE_F32_H

#include "tarn_fours_mve_f32.h"

/* Where the outputs of a tile go. */
typedef struct {
    const float *r; /* to be added, or NULL */
    float *y;
    ptrdiff_t r_pitch, y_pitch; /* from one pixel to the next */
    float lo, hi;
    int32_t bounded;
} tarn_ends_mve_f32;

TARN_BEGIN_C

/* Writes `outputs` of `pixels`, whose sums stand as [pixels][ceil(outputs/4)]. */
TARN_API void tarn_ends_mve_f32_any(const tarn_ends_mve_f32 *to, const tarn_fours_mve_f32 *sums, int32_t pixels, int32_t outputs);

TARN_END_C

TARN_FORCE_INLINE void tarn_ends_begin_mve_f32(tarn_ends_mve_f32 *to, float lo, float hi, int32_t r_pitch, int32_t y_pitch)
{
    to->r_pitch = r_pitch;
    to->y_pitch = y_pitch;
    to->lo = lo;
    to->hi = hi;
    to->bounded = (lo > -TARN_INF_F) || (hi < TARN_INF_F);
}

/* At outputs of a pixel of r (or NULL) and y. */
TARN_FORCE_INLINE void tarn_ends_at_mve_f32(tarn_ends_mve_f32 *to, const float *r, float *y, int32_t pixel)
{
    to->r = (r != NULL) ? (r + (pixel * to->r_pitch)) : NULL;
    to->y = y + (pixel * to->y_pitch);
}

/* Past some outputs of every pixel. */
TARN_FORCE_INLINE void tarn_ends_next_mve_f32(tarn_ends_mve_f32 *to, int32_t outputs)
{
    to->r = (to->r != NULL) ? (to->r + outputs) : NULL;
    to->y += outputs;
}

#endif
