/* SPDX-License-Identifier: MIT-0
 * Quantises to 8 unsigned bits by the range of the data (ONNX, DynamicQuantizeLinear). */
#ifndef TARN_DYNAMIC_QUANTIZE_F32_H
#define TARN_DYNAMIC_QUANTIZE_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t count;
    int32_t lower;  /* what the codes of y are lower by: 0, or 128 for signed ones; zero is not */
} tarn_dynamic_quantize_f32_params;

/* The range always holds 0. y[i] may stand where nothing behind x[i] does. */
TARN_API void tarn_dynamic_quantize_f32(const tarn_dynamic_quantize_f32_params *p, const tarn_f32 *x, void *y, float *scale,
                                        uint8_t *zero);

TARN_END_C
#endif
