/* SPDX-License-Identifier: MIT-0
 * Resizing along any axes, with scales, sizes and region as they come at run time. Slow, for what no other kernel takes. */
#ifndef TARN_RESIZE_ANY_F32_H
#define TARN_RESIZE_ANY_F32_H

#include "tarn_resize_axis.h"
#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    tarn_resize_rule rule;
    int32_t rank;            /* at most 8 */
    int32_t in[8], out[8];   /* dense x and y */
    int32_t entry[8];        /* which number of the lists is for the axis; -1: none, the axis stays as it is */
    int32_t entries;
    int32_t keep_ratio;      /* of sizes: 0 stretch, 1 not larger, 2 not smaller */
    float outside;           /* the value of what lies outside the region */
} tarn_resize_any_f32_params;

/* scales: by entry, or NULL: then sizes (or NULL: those of y) give them. roi: all starts, then all ends; NULL: everything.
 * y overlaps nothing. */
TARN_API void tarn_resize_any_f32(const tarn_resize_any_f32_params *p, const tarn_f32 *x, const float *scales,
                                  const int64_t *sizes, const float *roi, tarn_f32 *y);

TARN_END_C
#endif
