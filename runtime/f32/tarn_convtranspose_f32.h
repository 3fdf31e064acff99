/* SPDX-License-Identifier: MIT-0
 * Transposed convolution of whole images and volumes, channels last. */
#ifndef TARN_CONVTRANSPOSE_F32_H
#define TARN_CONVTRANSPOSE_F32_H

#include "tarn_convtranspose_line_f32.h"

TARN_BEGIN_C

/* Arrays give planes and lines, with 1 where there are no planes. */
typedef struct {
    tarn_convtranspose_line_f32_params line;  /* rows: kernel[0] * kernel[1] */
    int32_t images, out_pixels;
    int32_t in[2], out[2], kernel[2], stride[2], dilation[2], pad[2];
    int32_t x_line, y_line;                   /* elements from one line to the next */
    int32_t block_first, block_end;           /* the output lines that may be computed in blocks of pixels */
} tarn_convtranspose_f32_params;

/* lines: room for line.rows pointers. The others as for the line kernel. */
TARN_API void tarn_convtranspose_f32(const tarn_convtranspose_f32_params *p, const tarn_f32 *x, const tarn_f32 *w,
                                     const tarn_f32 *b, const int32_t *phases, tarn_f32 *y, const tarn_f32 **lines);

TARN_END_C
#endif
