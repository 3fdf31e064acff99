/* SPDX-License-Identifier: MIT-0
 * A window of steps that goes on: what stays of a tensor moves to where it stands in the next one, and what is new is copied
 * beside it. */
#ifndef TARN_SHIFT_H
#define TARN_SHIFT_H

#include "tarn.h"

/* In elements. Of x stay `outer` runs of `kept`, which begin `pitch` apart in x as in y, the first at `from` in x and at `to` in
 * y. Then added_outer runs of added_count are copied: they begin added_pitch apart and y_pitch apart in y, the first at
 * added_from and at y_to. A run ends before the next one begins. */
typedef struct {
    int32_t outer, kept, pitch, from, to;
    int32_t added_outer, added_count, added_pitch, y_pitch, added_from, y_to;
} tarn_shift_params;

#endif
