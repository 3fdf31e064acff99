/* SPDX-License-Identifier: MIT-0
 * Unsigned codes to signed ones and back: half their range less, half their range more. */
#ifndef TARN_INT_FLIP_S8_H
#define TARN_INT_FLIP_S8_H

#include "tarn_int_code_s8.h"

TARN_BEGIN_C

typedef struct {
    int32_t outer, inner;       /* runs, and elements of a run */
    int32_t x_pitch, y_pitch;   /* elements from one run to the next */
} tarn_int_flip_s8_params;

/* y may be x. */
TARN_API void tarn_int_flip_s8(const tarn_int_flip_s8_params *p, const void *x, void *y);

TARN_END_C
#endif
