/* SPDX-License-Identifier: MIT-0
 * Convolutions for processors with pairs of 16-bit products: patches of three pixels are widened to 16 bits and meet two outputs
 * at a time. */
#ifndef TARN_INT_CONV2D_DSP_RUN_S8_H
#define TARN_INT_CONV2D_DSP_RUN_S8_H

#include "tarn_int_dsp_block.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t inputs, outputs;                /* channels */
    int32_t rows, taps;                     /* the kernel */
    int32_t images, in_lines, in_pixels, out_lines, out_pixels;
    int32_t stride[2], dilation[2], pad[2]; /* across lines, along a line; a single line needs the latter only */
    int32_t x_pitch, y_pitch;               /* elements from one pixel to the next; lines follow each other */
    int32_t zero;                           /* of the input */
    int32_t length;                         /* of a patch: rows * taps * inputs and the sums, rounded up to a multiple of 8 */
    int32_t direct;                         /* a patch is one whole pixel, and none lies outside the image */
    int32_t sums;                           /* pairs of elements, behind the patch, that take up its sum; see below */
    int32_t groups;                         /* inputs and outputs are those of one; only the kernels of groups take several */
} tarn_int_conv2d_dsp_s8_params;

/* Weights with zero points: sums > 0, and behind a patch, rounded up to a multiple of 4, its sum follows in pieces of 16 bits,
 * each of them twice. A pair of weights there adds up to the negative zero point. */

/* Blocks of three pixels go on from line to line: up to two patches wait. */
typedef struct {
    tarn_int_dsp_block_state block;
    int16_t *patches;
    const int8_t *w;
    int8_t *y;                              /* the first pixel not yet written */
    int8_t *bytes;
    int32_t held;                           /* patches that wait */
    int32_t bounded;                        /* codes are clamped to less than int8 holds */
} tarn_int_conv2d_dsp_run;

/* Arguments as those of tarn_int_conv2d_dsp_s8. */
TARN_API void tarn_int_conv2d_dsp_begin_s8(tarn_int_conv2d_dsp_run *s, const tarn_int_conv2d_dsp_s8_params *p, const int32_t *w,
                                           const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t *scratch,
                                           int8_t *bytes);
/* Takes in the pixels [first, end) of a line. x: the first pixels of the lines under the kernel, NULL outside the image. */
TARN_API void tarn_int_conv2d_dsp_columns_s8(tarn_int_conv2d_dsp_run *s, const tarn_int_conv2d_dsp_s8_params *p,
                                             const int8_t *const *x, int32_t first, int32_t end);
/* Writes those that wait. */
TARN_API void tarn_int_conv2d_dsp_end_s8(tarn_int_conv2d_dsp_run *s, const tarn_int_conv2d_dsp_s8_params *p);

TARN_END_C
#endif
