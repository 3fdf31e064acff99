/* SPDX-License-Identifier: MIT-0
 * Regions of images, channels last, pooled into tiles of equal size. */
#ifndef TARN_MAXROIPOOL_F32_H
#define TARN_MAXROIPOOL_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t images, lines, pixels, channels;
    int32_t regions, out_lines, out_pixels;
    tarn_acc_f32 scale;    /* from the regions' coordinates to pixels */
} tarn_maxroipool_f32_params;

/* regions: image, left, top, right, bottom of each. 0, or -1 when there is no such image. */
TARN_API int tarn_maxroipool_f32(const tarn_maxroipool_f32_params *p, const tarn_f32 *x, const tarn_f32 *regions, tarn_f32 *y);

TARN_END_C
#endif
