/* SPDX-License-Identifier: MIT-0 */
#include "tarn_dynamic_depthwise_f32.h"

TARN_API void tarn_dynamic_depthwise_f32(const tarn_dynamic_conv2d_f32_params *p, const int8_t *x, const int8_t *w,
                                         const int32_t *w_zero, const float *x_scale, const void *x_zero,
                                         const float *w_scale, const float *bias, float *y, const int8_t **taps)
{
    float *y_at = y;
    const int8_t **lines = taps + ((ptrdiff_t)p->rows * p->taps);
    int32_t n;
    for (n = 0; n < (p->images * p->out_lines); ++n) {
        tarn_dynamic_lines(p, x, n, lines);
        tarn_dynamic_depthwise_line_f32(p, lines, w, w_zero, x_scale, x_zero, w_scale, bias, y_at, 0, p->out_pixels, taps);
        y_at += (ptrdiff_t)p->out_pixels * p->y_pitch;
    }
}
