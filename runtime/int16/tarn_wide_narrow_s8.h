/* SPDX-License-Identifier: MIT-0
 * 16-bit codes to 8-bit codes of another scale, within bounds: y = clamp(x * slope + offset). */
#ifndef TARN_WIDE_NARROW_S8_H
#define TARN_WIDE_NARROW_S8_H

#include "tarn_wide.h"

TARN_BEGIN_C

typedef struct {
    int32_t outer, inner;       /* runs, and elements of a run */
    int32_t x_pitch, y_pitch;   /* elements from one run to the next */
    tarn_wide_params codes;
    int32_t form[4];            /* see tarn_wide.h */
} tarn_wide_narrow_s8_params;

/* Each element is read before it is written: y may lie where x begins. */
TARN_API void tarn_wide_narrow_s8(const tarn_wide_narrow_s8_params *p, const int16_t *x, int8_t *y);

TARN_END_C
#endif
