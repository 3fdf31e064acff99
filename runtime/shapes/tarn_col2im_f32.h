/* SPDX-License-Identifier: MIT-0
 * Sums sliding blocks back into images: every element of an image gathers what the blocks over it hold. */
#ifndef TARN_COL2IM_F32_H
#define TARN_COL2IM_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t images;               /* times channels */
    int32_t dims;                 /* at most 6 */
    int32_t block_count, blocks;  /* elements of a block, and how many blocks x has */
    int32_t out[6], stride[6], dilation[6], pad[6], pad_end[6];
} tarn_col2im_f32_params;

/* x: [images][block_count][blocks]; block: sizes of a block. 0, or -1 when those do not fit x. */
TARN_API int tarn_col2im_f32(const tarn_col2im_f32_params *p, const tarn_f32 *x, const int64_t *block, tarn_f32 *y);

TARN_END_C
#endif
