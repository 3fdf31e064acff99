/* SPDX-License-Identifier: MIT-0
 * tarn_int_conv2d_line_s8 with four patches at a time, for processors with registers for their sums. */
#ifndef TARN_INT_CONV2D_FOUR_LINE_S8_H
#define TARN_INT_CONV2D_FOUR_LINE_S8_H

#include "tarn_int_conv2d_patch_s8.h"

TARN_BEGIN_C

/* Writes the pixels [first, end) of a line. x: the first pixels of the lines under the kernel, NULL outside the image; y: the
 * first pixel of the line; scratch: 4 * length elements; the others as for tarn_int_conv2d_four_s8. */
TARN_API void tarn_int_conv2d_four_line_s8(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, const int8_t *w,
                                           const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first, int32_t end,
                                           int8_t *scratch);

/* The same in parts, for blocks that go on from line to line: `held` patches wait in the scratch for y, the first pixel not yet
 * written. Returns how many wait then. */
TARN_API int32_t tarn_int_conv2d_four_columns_s8(const tarn_int_conv2d_s8_params *p, const int8_t *const *x, const int8_t *w,
                                                 const int32_t *q, const int32_t *exceptions, int8_t *y, int32_t first,
                                                 int32_t end, int32_t held, int8_t *scratch);
/* Writes those that wait. */
TARN_API void tarn_int_conv2d_four_rest_s8(const tarn_int_conv2d_s8_params *p, const int8_t *w, const int32_t *q,
                                           const int32_t *exceptions, int8_t *y, int32_t held, const int8_t *scratch);

TARN_END_C
#endif
