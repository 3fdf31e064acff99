/* SPDX-License-Identifier: MIT-0 */
#include "tarn_dense_mve_f32.h"
#include "tarn_conv_line_mve_f32.h"

/* A line of a convolution of one tap: its loops are those of both. */
TARN_API void tarn_dense_mve_f32_line(const tarn_dense_mve_f32_params *p, const float *x, const float *w, const float *b, const float *r,
                                      float *y, int32_t first, int32_t end, int32_t block)
{
    tarn_conv_line_mve_f32_params line;
    line.rows = 1;
    line.taps = 1;
    line.dilation = 1;
    line.stride = 1;
    line.pad = 0;
    line.in_pixels = end;
    line.groups = 1;
    line.inputs = p->inputs;
    line.outputs = p->outputs;
    line.x_pitch = p->x_pitch;
    line.y_pitch = p->y_pitch;
    line.r_pitch = p->r_pitch;
    line.lo = p->lo;
    line.hi = p->hi;
    tarn_conv_line_mve_f32(&line, &x, w, b, r, y, first, end, block);
}

TARN_API void tarn_dense_mve_f32(const tarn_dense_mve_f32_params *p, const float *x, const float *w, const float *b, const float *r,
                                 float *y)
{
    tarn_dense_mve_f32_line(p, x, w, b, r, y, 0, p->block_first, 0);
    tarn_dense_mve_f32_line(p, x, w, b, r, y, p->block_first, p->block_end, 1);
    tarn_dense_mve_f32_line(p, x, w, b, r, y, p->block_end, p->pixels, 0);
}
