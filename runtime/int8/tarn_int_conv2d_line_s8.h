/* SPDX-License-Identifier: MIT-0
 * Lines of an int8 convolution with requantisation: the caller hands over the input lines under the kernel. The inputs under the
 * kernel are gathered into a patch first: padding becomes the zero point, the inner loop has no test, and an output may
 * overwrite inputs that no later pixel needs. */
#ifndef TARN_INT_CONV2D_LINE_S8_H
#define TARN_INT_CONV2D_LINE_S8_H

#include "tarn_int_conv2d_patch_s8.h"

TARN_BEGIN_C

/* Writes the pixels [first, end) of a line. x: the first pixels of the lines under the kernel, NULL outside the image; y: the
 * first pixel of the line; scratch: `length` elements; the others as for tarn_int_conv2d_s8. */
TARN_API void tarn_int_conv2d_line_s8(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, const int8_t *w,
                                      const int32_t *q, const int32_t *w_zero, const int32_t *exceptions, int8_t *y,
                                      int32_t first, int32_t end, int8_t *scratch);

TARN_END_C
#endif
