/* SPDX-License-Identifier: MIT-0
 * Bounds of a slice that are known only at run time (ONNX, Slice). */
#ifndef TARN_SLICE_PART_H
#define TARN_SLICE_PART_H

#include "tarn.h"

TARN_BEGIN_C

/* x and y have the given sizes. `count` axes are cut; wide: the bounds have 64 bits, else 32. axis: the one whose size is asked
 * for, and capacity its largest size. */
typedef struct {
    int32_t rank, in[8], out[8], count, wide, axis, capacity;
} tarn_slice_part_params;

/* Where and in which steps positions along one axis are taken. */
typedef struct {
    int32_t first, step, size;
} tarn_slice_part_axis;

/* axes NULL: the first ones in order; steps NULL: 1. Returns 0, or -1 when an axis is given twice or a step is 0. */
TARN_API int32_t tarn_slice_part_find(const tarn_slice_part_params *p, const void *starts, const void *ends, const void *axes,
                                      const void *steps, int32_t axis, tarn_slice_part_axis *part);

/* The size of axis p->axis. Returns 0, or -1 when the bounds are malformed or it exceeds the capacity. */
TARN_API int32_t tarn_slice_part(const tarn_slice_part_params *p, const void *starts, const void *ends, const void *axes,
                                 const void *steps, int64_t *size);

TARN_END_C
#endif
