/* SPDX-License-Identifier: MIT-0
 * DequantizeLinear with one scale: y = (x - zero) * scale. */
#ifndef TARN_INT_DEQUANTIZE_S32_H
#define TARN_INT_DEQUANTIZE_S32_H

#include "tarn_types_s32.h"

TARN_BEGIN_C

typedef struct {
    int32_t outer, inner;       /* runs, and elements of a run */
    int32_t x_pitch, y_pitch;   /* elements from one run to the next */
    float scale;
    int32_t zero;
} tarn_int_dequantize_s32_params;

TARN_API void tarn_int_dequantize_s32(const tarn_int_dequantize_s32_params *p, const tarn_s32 *x, float *y);

TARN_END_C
#endif
