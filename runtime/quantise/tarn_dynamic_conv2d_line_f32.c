/* SPDX-License-Identifier: MIT-0 */
#include "tarn_dynamic_conv2d_line_f32.h"
#include "tarn_int_dots.h"

TARN_API void tarn_dynamic_conv2d_line_f32(const tarn_dynamic_conv2d_f32_params *p, const int8_t *const *x,
                                           const int8_t *w, const int32_t *w_sums, const int32_t *w_zero,
                                           const float *x_scale, const void *x_zero, const float *w_scale,
                                           const float *bias, float *y, int32_t first, int32_t end, int8_t *scratch)
{
    tarn_dynamic_line(p, tarn_int_dots, tarn_dynamic_input_of(p, x_scale, x_zero), x, w, w_sums, w_zero,
                      w_scale, bias, y, first, end, scratch);
}
