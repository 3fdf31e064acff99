/* SPDX-License-Identifier: MIT-0
 * uint8 codes to int8 codes and back: 128 less, 128 more. */
#ifndef TARN_INT_FLIP_H
#define TARN_INT_FLIP_H

#include "tarn.h"

TARN_BEGIN_C

typedef struct {
    int32_t outer, inner;       /* runs, and bytes of a run */
    int32_t x_pitch, y_pitch;   /* bytes from one run to the next */
} tarn_int_flip_params;

/* y may be x. */
TARN_API void tarn_int_flip(const tarn_int_flip_params *p, const void *x, void *y);

TARN_END_C
#endif
