/* SPDX-License-Identifier: MIT-0
 * 16-bit codes to those of another scale, within bounds: y = clamp(x * slope + offset). */
#ifndef TARN_WIDE_SCALE_S16_H
#define TARN_WIDE_SCALE_S16_H

#include "tarn_wide.h"

TARN_BEGIN_C

typedef struct {
    int32_t outer, inner;       /* runs, and elements of a run */
    int32_t x_pitch, y_pitch;   /* elements from one run to the next */
    tarn_wide_params codes;
    int32_t form[4];            /* see tarn_wide.h */
} tarn_wide_scale_s16_params;

/* y may be x. */
TARN_API void tarn_wide_scale_s16(const tarn_wide_scale_s16_params *p, const int16_t *x, int16_t *y);

TARN_END_C
#endif
