/* SPDX-License-Identifier: MIT-0
 * 8-bit codes to 16-bit codes of another scale, within bounds: y = clamp(x * slope + offset). */
#ifndef TARN_WIDE_WIDEN_S8_H
#define TARN_WIDE_WIDEN_S8_H

#include "tarn_wide.h"

TARN_BEGIN_C

typedef struct {
    int32_t outer, inner;       /* runs, and elements of a run */
    int32_t x_pitch, y_pitch;   /* elements from one run to the next */
    tarn_wide_params codes;
    int32_t form[4];            /* see tarn_wide.h */
} tarn_wide_widen_s8_params;

/* Each element is read before it is written. */
TARN_API void tarn_wide_widen_s8(const tarn_wide_widen_s8_params *p, const int8_t *x, int16_t *y);

TARN_END_C
#endif
