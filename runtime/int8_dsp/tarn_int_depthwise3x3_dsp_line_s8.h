/* SPDX-License-Identifier: MIT-0
 * tarn_int_depthwise_dsp_line_s8 for 3 x 3 kernels without dilation: three lines at a time are turned into columns of 16-bit
 * elements, then each channel of a line is a run of products. */
#ifndef TARN_INT_DEPTHWISE3X3_DSP_LINE_S8_H
#define TARN_INT_DEPTHWISE3X3_DSP_LINE_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t channels;                       /* at least 4 */
    int32_t images, in_lines, in_pixels, out_lines, out_pixels;
    int32_t stride[2], pad[2];              /* across lines, along a line; a single line needs the latter only */
    int32_t x_pitch, y_pitch;               /* elements from one pixel to the next; lines follow each other */
    int32_t zero;                           /* of the input */
    int32_t columns;                        /* under the kernel in one line: (out_pixels - 1) * stride[1] + 3 */
    int32_t sums;                           /* the fourth weight of a column is the negative zero point of its channel */
} tarn_int_depthwise3x3_dsp_s8_params;

/* Writes the pixels [first, end) of a line. x: the first pixels of the three lines under the kernel, NULL outside the image; y: the
 * first pixel of the line; the others as for tarn_int_depthwise3x3_dsp_s8. x is read until the last of them is written. */
TARN_API void tarn_int_depthwise3x3_dsp_line_s8(const tarn_int_depthwise3x3_dsp_s8_params *p, const int8_t *const *x,
                                                const int32_t *w, const int32_t *q, const int32_t *exceptions, int8_t *y,
                                                int32_t first, int32_t end, int32_t *scratch);

TARN_END_C
#endif
