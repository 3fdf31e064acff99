/* SPDX-License-Identifier: MIT-0
 * tarn_dynamic_conv2d_f32 for processors with pairs of 16-bit products: weights are aligned to 4. */
#ifndef TARN_DYNAMIC_CONV2D_DSP_F32_H
#define TARN_DYNAMIC_CONV2D_DSP_F32_H

#include "tarn_dynamic_conv2d_dsp_line_f32.h"

TARN_BEGIN_C

TARN_API void tarn_dynamic_conv2d_dsp_f32(const tarn_dynamic_conv2d_f32_params *p, const int8_t *x, const int32_t *w,
                                          const int32_t *w_sums, const int32_t *w_zero, const float *x_scale,
                                          const void *x_zero, const float *w_scale, const float *bias, float *y,
                                          int8_t *scratch, const int8_t **lines);

TARN_END_C
#endif
