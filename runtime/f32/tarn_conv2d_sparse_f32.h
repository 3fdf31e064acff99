/* SPDX-License-Identifier: MIT-0
 * Convolution of whole images, channels last, with weights of which most are zero: fetches the lines under the kernel and calls
 * the line kernel. */
#ifndef TARN_CONV2D_SPARSE_F32_H
#define TARN_CONV2D_SPARSE_F32_H

#include "tarn_conv_line_sparse_f32.h"

TARN_BEGIN_C

typedef struct {
    tarn_conv_line_sparse_f32_params line;
    int32_t images, in_lines, out_lines, out_pixels;
    int32_t stride, pad, dilation;              /* across lines */
    int32_t x_line, y_line, r_line;             /* elements from one line to the next */
    int32_t block_first, block_end;             /* pixels are computed one at a time, whatever these say */
} tarn_conv2d_sparse_f32_params;

/* lines: room for line.rows pointers. The others as for the line kernel. */
TARN_API void tarn_conv2d_sparse_f32(const tarn_conv2d_sparse_f32_params *p, const tarn_f32 *x, const tarn_f32 *w,
                                     const uint8_t *gaps, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y,
                                     const tarn_f32 **lines);

TARN_END_C
#endif
