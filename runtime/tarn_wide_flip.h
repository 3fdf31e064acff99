/* SPDX-License-Identifier: MIT-0
 * uint16 codes to int16 codes and back: 32768 less, 32768 more. */
#ifndef TARN_WIDE_FLIP_H
#define TARN_WIDE_FLIP_H

#include "tarn.h"

TARN_BEGIN_C

typedef struct {
    int32_t outer, inner;       /* runs, and elements of a run */
    int32_t x_pitch, y_pitch;   /* elements from one run to the next */
} tarn_wide_flip_params;

/* y may be x. */
TARN_API void tarn_wide_flip(const tarn_wide_flip_params *p, const void *x, void *y);

TARN_END_C
#endif
