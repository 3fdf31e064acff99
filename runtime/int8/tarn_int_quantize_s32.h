/* SPDX-License-Identifier: MIT-0
 * QuantizeLinear with one scale: y = clamp(round(x / scale)) + zero, ties to even; NaN becomes the least code. */
#ifndef TARN_INT_QUANTIZE_S32_H
#define TARN_INT_QUANTIZE_S32_H

#include "tarn_types_s32.h"

TARN_BEGIN_C

typedef struct {
    int32_t outer, inner;       /* runs, and elements of a run */
    int32_t x_pitch, y_pitch;   /* elements from one run to the next */
    float scale;
    int32_t zero, lo, hi;       /* lo, hi: of the codes; within 2^22 of zero */
} tarn_int_quantize_s32_params;

/* y may be x: an element is no larger than a float. */
TARN_API void tarn_int_quantize_s32(const tarn_int_quantize_s32_params *p, const float *x, tarn_s32 *y);

TARN_END_C
#endif
