/* SPDX-License-Identifier: MIT-0
 * Lines of 3 x 3 kernels; see tarn_int_dsp.h. */
#ifndef TARN_INT_DSP_LINE3_H
#define TARN_INT_DSP_LINE3_H

#include "tarn_int_dsp.h"

TARN_BEGIN_C

/* The largest stride whose outputs go by twos. */
#define TARN_INT_DSP_PAIRED ((TARN_LESS_CODE != 0) ? 1 : 2)

/* One line of up to four channels of a 3 x 3 depthwise convolution. */
typedef struct {
    int32_t mask, post, pitch;          /* of the form; bytes from one output to the next */
    int8_t *y_end;                      /* of the first channel */
    int8_t *y_pairs;                    /* up to which its outputs go by twos; y for larger strides */
    int32_t begin;                      /* of a channel's sums, room for the loop */
    const tarn_requant_params *p;
    const int32_t *exceptions;
    int32_t channel_end;                /* behind the last of at most four */
    int32_t pre;
    int32_t stride;                     /* bytes of x from one output to the next */
    const int16_t *x;                   /* columns of 16 elements: lines 0, 2, 1 and anything, for each of the channels */
    int8_t *y;
    const int32_t *q;                   /* begin, m and c of each channel */
    int32_t x_back, y_back;             /* bytes from the end of a channel's columns and outputs to the next ones */
    int8_t *y_last;                     /* y_end behind the last channel */
} tarn_int_dsp_line;

/* w: by channel, for each column bytes of the weights of lines 0, 1, 2 and of the fourth element. */
TARN_API void tarn_int_dsp_line3(const tarn_int_dsp_line *s, const int32_t *w);

/* Four channels of three lines, pixel by pixel, become such columns at d up to `end`. A line whose step is 0 is that of four codes. */
typedef struct {
    const int8_t *from[3];
    int32_t step[3];
    int16_t *d, *end;
    int32_t channel;                    /* the first */
} tarn_int_dsp_lines;
TARN_API void tarn_int_dsp_columns(const tarn_int_dsp_lines *s);

TARN_END_C
#endif
