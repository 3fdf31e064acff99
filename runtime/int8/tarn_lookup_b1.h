/* SPDX-License-Identifier: MIT-0
 * y = table[x] for 8-bit codes: any function of one of them. */
#ifndef TARN_LOOKUP_B1_H
#define TARN_LOOKUP_B1_H

#include "tarn.h"

TARN_BEGIN_C

/* outer runs of inner codes; the pitches lead from run to run, y_offset to the first one of y. */
typedef struct {
    int32_t outer, inner, x_pitch, y_pitch, y_offset;
} tarn_lookup_b1_params;

/* y may be x where the runs are the same. */
TARN_API void tarn_lookup_b1(const tarn_lookup_b1_params *p, const void *x, const uint8_t *table, void *y);

TARN_END_C
#endif
