/* SPDX-License-Identifier: MIT-0
 * Regions of images, channels last, sampled into tiles of equal size. */
#ifndef TARN_ROIALIGN_F32_H
#define TARN_ROIALIGN_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t images, lines, pixels, channels;
    int32_t regions, out_lines, out_pixels;
    int32_t samples;       /* per axis and output pixel; 0: as many as there are input pixels */
    int32_t largest;       /* the largest sample counts, not their average */
    int32_t half_pixel;    /* coordinates begin half a pixel before the first */
    tarn_acc_f32 scale;    /* from the regions' coordinates to pixels */
} tarn_roialign_f32_params;

/* regions: left, top, right, bottom of each; of: the image of each. 0, or -1 when there is no such image. */
TARN_API int tarn_roialign_f32(const tarn_roialign_f32_params *p, const tarn_f32 *x, const tarn_f32 *regions, const int64_t *of,
                               tarn_f32 *y);

TARN_END_C
#endif
