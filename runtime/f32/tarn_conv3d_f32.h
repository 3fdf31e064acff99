/* SPDX-License-Identifier: MIT-0
 * Convolution of whole volumes (depth, lines, pixels, channels): the line kernel under depth x height lines. */
#ifndef TARN_CONV3D_F32_H
#define TARN_CONV3D_F32_H

#include "tarn_conv_line_f32.h"

TARN_BEGIN_C

typedef struct {
    tarn_conv_line_f32_params line;             /* rows: kernel depth times kernel height */
    int32_t images, in_planes, out_planes, kernel_planes, stride_planes, pad_planes, dilation_planes;
    int32_t in_lines, out_lines, kernel_lines, stride, pad, dilation;
    int32_t out_pixels;
    int32_t x_line, y_line, r_line;             /* elements from one line to the next */
    int32_t block_first, block_end;             /* the output lines whose pixels may be computed four at a time */
} tarn_conv3d_f32_params;

/* lines: room for line.rows pointers. The others as for the line kernel. */
TARN_API void tarn_conv3d_f32(const tarn_conv3d_f32_params *p, const tarn_f32 *x, const tarn_f32 *w, const tarn_f32 *b,
                              const tarn_f32 *r, tarn_f32 *y, const tarn_f32 **lines);

TARN_END_C
#endif
