/* SPDX-License-Identifier: MIT-0
 * Lines of 3 x 3 kernels; see tarn_int_dsp.h. */
#ifndef TARN_INT_DSP_LINE3_H
#define TARN_INT_DSP_LINE3_H

#include "tarn_int_dsp.h"

TARN_BEGIN_C

/* One line of one channel of a 3 x 3 depthwise convolution. */
typedef struct {
    int32_t pre, c, mask, post, pitch;  /* pitch: bytes from one output to the next */
    int8_t *y_end;
    const tarn_requant_params *p;
    const int32_t *exceptions;
    int32_t channel;
    int32_t stride;                     /* bytes of x from one output to the next */
    const int16_t *x;                   /* columns of 16 elements: lines 0, 2, 1 and anything, for each of four channels */
    int8_t *y;
    int32_t m, begin;
} tarn_int_dsp_line;

/* w: for each column the weights of lines 0, 1, 2 and of the fourth element. */
TARN_API void tarn_int_dsp_line3(const tarn_int_dsp_line *s, const int8_t *w);

/* Four channels of three lines, pixel by pixel, become such columns at d up to `end`. */
typedef struct {
    const int8_t *from[3];
    int32_t step[3];
    int16_t *d, *end;
} tarn_int_dsp_lines;
TARN_API void tarn_int_dsp_columns(const tarn_int_dsp_lines *s);

TARN_END_C
#endif
