/* SPDX-License-Identifier: MIT-0 */
#include "tarn_dynamic_conv2d_dsp_line_f32.h"
#include "tarn_int_dsp_dense.h"

TARN_FORCE_INLINE void dynamic_conv2d_dsp_dots_f32(int32_t *sums, const int8_t *w, const int8_t *x, int32_t n)
{
    tarn_int_dsp_dense(w, x, x + n, sums);
}

TARN_API void tarn_dynamic_conv2d_dsp_line_f32(const tarn_dynamic_conv2d_f32_params *p, const int8_t *const *x,
                                               const int32_t *w, const int32_t *w_sums, const int32_t *w_zero,
                                               const float *x_scale, const void *x_zero, const float *w_scale,
                                               const float *bias, float *y, int32_t first, int32_t end, int8_t *scratch)
{
    tarn_dynamic_line(p, dynamic_conv2d_dsp_dots_f32, tarn_dynamic_input_of(p, x_scale, x_zero), x, (const int8_t *)w, w_sums, w_zero,
                      w_scale, bias, y, first, end, scratch);
}
