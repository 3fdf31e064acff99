/* SPDX-License-Identifier: MIT-0
 * Lines of a convolution of int8 codes whose scale and zero point may be made at run time; the result is floats. Channels last. */
#ifndef TARN_DYNAMIC_CONV2D_LINE_F32_H
#define TARN_DYNAMIC_CONV2D_LINE_F32_H

#include "tarn_dynamic_core_f32.h"

TARN_BEGIN_C

/* Writes the pixels [first, end) of a line. x: the first pixels of the lines under the kernel, NULL outside the image; y: the first
 * pixel of the line; scratch: length elements; the others as for tarn_dynamic_conv2d_f32. */
TARN_API void tarn_dynamic_conv2d_line_f32(const tarn_dynamic_conv2d_f32_params *p, const int8_t *const *x,
                                           const int8_t *w, const int32_t *w_sums, const int32_t *w_zero,
                                           const float *x_scale, const void *x_zero, const float *w_scale,
                                           const float *bias, float *y, int32_t first, int32_t end, int8_t *scratch);

TARN_END_C
#endif
