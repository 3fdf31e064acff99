/* SPDX-License-Identifier: MIT-0
 * Lines of an int8 convolution with requantisation: the caller hands over the input lines under the kernel. The inputs under the
 * kernel are gathered into patches first: padding becomes the zero point, the inner loop has no test, and an output may
 * overwrite inputs that no later pixel needs. */
#ifndef TARN_INT_CONV2D_LINE_S8_H
#define TARN_INT_CONV2D_LINE_S8_H

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
    int32_t length;                         /* of a patch: rows * taps * inputs, rounded up to a multiple of 4 */
    int32_t block;                          /* patches that the scratch holds: 1, or 4 with one group and w_zero == NULL */
} tarn_int_conv2d_s8_params;

/* Writes the pixels [first, end) of a line. x: the first pixels of the lines under the kernel, NULL outside the image; y: the
 * first pixel of the line; scratch: block * length elements; the others as for tarn_int_conv2d_s8. */
TARN_API void tarn_int_conv2d_line_s8(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, const int8_t *w,
                                      const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                      int32_t first, int32_t end, int8_t *scratch);

/* The same in parts, for blocks that go on from line to line: `held` patches wait in the scratch for y, the first pixel not yet
 * written. Returns how many wait then. */
TARN_API int32_t tarn_int_conv2d_columns_s8(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, const int8_t *w,
                                            const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                            int32_t first, int32_t end, int32_t held, int8_t *scratch);
/* Writes those that wait. */
TARN_API void tarn_int_conv2d_rest_s8(const tarn_int_conv2d_s8_params *p, const int8_t *w, const int32_t *q,
                                      const int32_t *exceptions, int8_t *y, int32_t held, const int8_t *scratch);

TARN_END_C
#endif
