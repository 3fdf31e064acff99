/* SPDX-License-Identifier: MIT-0
 * Convolution with weights that are made at run time, in the order ONNX stores them; up to three spatial axes, images
 * channels last. */
#ifndef TARN_CONV_PLAIN_F32_H
#define TARN_CONV_PLAIN_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t images, groups, inputs, outputs;                               /* channels per group */
    int32_t in[3], out[3], kernel[3], stride[3], dilation[3], pad[3];      /* planes, lines, pixels */
    tarn_acc_f32 lo, hi;
} tarn_conv_plain_f32_params;

/* w: [groups * outputs][inputs][kernel]; b: [groups * outputs] or NULL. Everything dense. */
TARN_API void tarn_conv_plain_f32(const tarn_conv_plain_f32_params *p, const tarn_f32 *x, const tarn_f32 *w,
                                  const tarn_f32 *b, tarn_f32 *y);

TARN_END_C
#endif
