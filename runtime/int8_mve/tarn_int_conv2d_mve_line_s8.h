/* SPDX-License-Identifier: MIT-0
 * tarn_int_conv2d_line_s8 for processors with sixteen products of codes at a time: three patches meet two outputs at a time. */
#ifndef TARN_INT_CONV2D_MVE_LINE_S8_H
#define TARN_INT_CONV2D_MVE_LINE_S8_H

#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    tarn_requant_params requant;
    int32_t groups, inputs, outputs;        /* channels per group */
    int32_t rows, taps;                     /* the kernel */
    int32_t images, in_lines, in_pixels, out_lines, out_pixels;
    int32_t stride[2], dilation[2], pad[2]; /* across lines, along a line; a single line needs the latter only */
    int32_t x_pitch, y_pitch;               /* elements from one pixel to the next; lines follow each other */
    int32_t zero;                           /* of the input */
    int32_t block;                          /* patches that the scratch holds: 3, or 1 */
} tarn_int_conv2d_mve_s8_params;

/* Writes the pixels [first, end) of a line. x: the first pixels of the lines under the kernel, NULL outside the image; y: the
 * first pixel of the line; the others as for tarn_int_conv2d_mve_s8. */
TARN_API void tarn_int_conv2d_mve_line_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, const int8_t *w,
                                          const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                          int32_t first, int32_t end, int8_t *scratch);

/* The same in parts, for blocks that go on from line to line: `held` patches wait in the scratch for y, the first pixel not yet
 * written. Returns how many wait then. */
TARN_API int32_t tarn_int_conv2d_mve_columns_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *const *x, const int8_t *w,
                                                const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                                int32_t first, int32_t end, int32_t held, int8_t *scratch);
/* Writes those that wait. */
TARN_API void tarn_int_conv2d_mve_rest_s8(const tarn_int_conv2d_mve_s8_params *p, const int8_t *w, const int32_t *q,
                                          const int32_t *w_zero, const int32_t *exceptions, int8_t *y, int32_t held,
                                          const int8_t *scratch);

TARN_END_C
#endif
