/* SPDX-License-Identifier: MIT-0
 * tarn_int_conv2d_dsp_parts_s8 for one line, and for blocks of three pixels that go on from line to line. */
#ifndef TARN_INT_CONV2D_DSP_PARTS_LINE_S8_H
#define TARN_INT_CONV2D_DSP_PARTS_LINE_S8_H

#include "tarn_int_dsp_part.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t inputs, outputs;                /* channels */
    int32_t rows, taps;                     /* the kernel */
    int32_t images, in_lines, in_pixels, out_lines, out_pixels;
    int32_t stride[2], dilation[2], pad[2]; /* across lines, along a line; a single line needs the latter only */
    int32_t x_pitch, y_pitch;               /* elements from one pixel to the next; lines follow each other */
    int32_t zero;                           /* of the input */
    int32_t length;                         /* of a patch: rows * taps * inputs, rounded up to a multiple of 8 */
    int32_t part;                           /* elements of a patch at a time, a multiple of 8 */
    int32_t together;                       /* outputs at a time, an even number */
} tarn_int_conv2d_dsp_parts_s8_params;

/* Up to three pixels whose outputs wait. */
typedef struct {
    const int32_t *w, *q, *exceptions;
    int8_t *y;                              /* the first pixel not yet written */
    int32_t *sums;
    int16_t *wide;                          /* the part of three patches */
    int8_t *codes;                          /* of outputs that are complete before the last ones */
    const int8_t *const *x[3];
    int32_t column[3];
    int32_t held;
    const int8_t *from[3];                  /* what comes next of each patch, NULL outside the image */
    int32_t inside;                         /* none of them is */
    int32_t row, tap;                       /* of the kernel, where it stands */
    int32_t run, runs, left;                /* codes that follow each other; runs in a row; what is left of this one */
} tarn_int_conv2d_dsp_parts_run;

/* Arguments as those of tarn_int_conv2d_dsp_parts_s8. */
TARN_API void tarn_int_conv2d_dsp_parts_begin_s8(tarn_int_conv2d_dsp_parts_run *s, const tarn_int_conv2d_dsp_parts_s8_params *p,
                                                 const int32_t *w, const int32_t *q, const int32_t *exceptions, int8_t *y,
                                                 int32_t *scratch);
/* Takes in the pixels [first, end) of a line. x: the first pixels of the lines under the kernel, NULL outside the image, which
 * stay until the pixels are written. */
TARN_API void tarn_int_conv2d_dsp_parts_columns_s8(tarn_int_conv2d_dsp_parts_run *s, const tarn_int_conv2d_dsp_parts_s8_params *p,
                                                   const int8_t *const *x, int32_t first, int32_t end);
/* Writes those that wait. */
TARN_API void tarn_int_conv2d_dsp_parts_end_s8(tarn_int_conv2d_dsp_parts_run *s, const tarn_int_conv2d_dsp_parts_s8_params *p);

/* Writes the pixels [first, end) of a line. y: the first pixel of the line; the others as above. */
TARN_API void tarn_int_conv2d_dsp_parts_line_s8(const tarn_int_conv2d_dsp_parts_s8_params *p, const int8_t *const *x, const int32_t *w,
                                                const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first,
                                                int32_t end, int32_t *scratch);

TARN_END_C
#endif
