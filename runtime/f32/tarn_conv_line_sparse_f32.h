/* SPDX-License-Identifier: MIT-0
 * One line of a convolution of one group with weights of which most are zero, which are skipped. */
#ifndef TARN_CONV_LINE_SPARSE_F32_H
#define TARN_CONV_LINE_SPARSE_F32_H

#include "tarn_types_f32.h"

TARN_BEGIN_C

typedef struct {
    int32_t rows;                       /* input lines under the kernel */
    int32_t taps, dilation;             /* columns of the kernel, and pixels from one to the next */
    int32_t stride, pad;                /* along the line; pad: columns before the first pixel */
    int32_t in_pixels;                  /* length of an input line */
    int32_t groups, inputs, outputs;    /* groups: 1 */
    int32_t x_pitch, y_pitch, r_pitch;  /* elements from one pixel to the next */
    tarn_acc_f32 lo, hi;
} tarn_conv_line_sparse_f32_params;

/* Writes the pixels [first, end) of one line. x[i]: first pixel of the input line under kernel line i, NULL where it is padding.
 * w, gaps: tarn_sparse_f32.h, for each output `rows` rows of [taps][inputs]; b: outputs, or NULL; r: a line to add, or NULL.
 * Each pixel's inputs are read for the last time before the next pixel is written. */
TARN_API void tarn_conv_line_sparse_f32(const tarn_conv_line_sparse_f32_params *p, const tarn_f32 *const *x, const tarn_f32 *w,
                                        const uint8_t *gaps, const tarn_f32 *b, const tarn_f32 *r, tarn_f32 *y, int32_t first,
                                        int32_t end, int32_t block);

TARN_END_C
#endif
