/* SPDX-License-Identifier: MIT-0
 * Copies runs of bytes: concatenation, splitting, contiguous slices. */
#ifndef TARN_COPY_H
#define TARN_COPY_H

#include "tarn.h"

TARN_BEGIN_C

/* All in bytes: `outer` runs of `inner` bytes; runs begin x_pitch and y_pitch apart, the first at the offsets. */
typedef struct {
    int32_t outer, inner, x_pitch, y_pitch, x_offset, y_offset;
} tarn_copy_params;

/* x and y do not overlap, or are the same. */
TARN_API void tarn_copy(const tarn_copy_params *p, const void *x, void *y);

TARN_END_C
#endif
