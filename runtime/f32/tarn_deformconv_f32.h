/* SPDX-License-Identifier: MIT-0
 * Convolution whose taps are moved by offsets that another tensor gives; images channels last. */
#ifndef TARN_DEFORMCONV_F32_H
#define TARN_DEFORMCONV_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t images, groups, offset_groups;
    int32_t inputs, outputs;                                       /* channels in all */
    int32_t in[2], out[2], kernel[2], stride[2], dilation[2], pad[2];
} tarn_deformconv_f32_params;

/* w: [outputs][inputs / groups][kernel]; offsets: per image [offset_groups][kernel][2][out], mask: likewise without the 2;
 * b, mask: NULL for 0 and 1. taps: inputs * kernel numbers of scratch. */
TARN_API void tarn_deformconv_f32(const tarn_deformconv_f32_params *p, const tarn_f32 *x, const tarn_f32 *w, const tarn_f32 *offsets,
                                  const tarn_f32 *b, const tarn_f32 *mask, tarn_acc_f32 *taps, tarn_f32 *y);

TARN_END_C
#endif
