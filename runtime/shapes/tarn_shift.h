/* SPDX-License-Identifier: MIT-0
 * Moves what stays of a tensor to where it stands in the next one, and copies what is new beside it: a window of steps
 * that goes on. */
#ifndef TARN_SHIFT_H
#define TARN_SHIFT_H

#include "tarn.h"

TARN_BEGIN_C

/* All in bytes. Of x stay `outer` runs of `kept` bytes, which begin `pitch` apart in x as in y, the first at `from` in x
 * and at `to` in y. Then added_outer runs of `added_bytes` are copied: they begin added_pitch apart and y_pitch apart in y, the first
 * at added_from and at y_to. A run ends before the next one begins. */
typedef struct {
    int32_t outer, kept, pitch, from, to;
    int32_t added_outer, added_bytes, added_pitch, y_pitch, added_from, y_to;
} tarn_shift_params;

/* y is x itself, or shares no byte with it; it shares none with `added`. */
TARN_API void tarn_shift(const tarn_shift_params *p, const void *x, const void *added, void *y);

TARN_END_C
#endif
