/* SPDX-License-Identifier: MIT-0
 * y = clamp(x * scale[c] + shift[c]): a normalisation whose statistics are known. */
#ifndef TARN_AFFINE_F32_H
#define TARN_AFFINE_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t outer, channels, x_pitch, y_pitch;
    tarn_acc_f32 lo, hi;
} tarn_affine_f32_params;

/* y may be x. */
TARN_API void tarn_affine_f32(const tarn_affine_f32_params *p, const tarn_f32 *x, const tarn_f32 *scale,
                              const tarn_f32 *shift, tarn_f32 *y);

TARN_END_C
#endif
