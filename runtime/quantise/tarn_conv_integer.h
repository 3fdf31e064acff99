/* SPDX-License-Identifier: MIT-0
 * Convolution of 8-bit codes, exact in 32 bits: y = sum of (x - x_zero) * (w - w_zero); padding adds nothing. Up to three
 * spatial axes. */
#ifndef TARN_CONV_INTEGER_H
#define TARN_CONV_INTEGER_H

#include "tarn_byte.h"

TARN_BEGIN_C

/* x: [images][groups * inputs][in]; w: [groups * outputs][inputs][kernel]; y: [images][groups * outputs][out]; dense. flips:
 * 0x80 for signed codes, else 0. w_step: 1 when each output channel has a zero point of its own, else 0; s_step likewise for
 * the scale of w, and lo and hi the range of y, where y is quantised. */
typedef struct {
    int32_t images, groups, inputs, outputs; /* channels per group */
    int32_t in[3], out[3], kernel[3], stride[3], dilation[3], pad[3];
    int32_t x_flip, w_flip, w_step, s_step, lo, hi;
} tarn_conv_integer_params;

/* The sum of output channel o at position `place` of an image, whose first channel is x. */
TARN_API int32_t tarn_conv_integer_sum(const tarn_conv_integer_params *p, const uint8_t *x, const uint8_t *w, int32_t x_zero, int32_t w_zero,
                              int32_t o, int32_t place);

/* Zero points: of the type of x and of w; NULL for 0. y shares no memory with the others. */
TARN_API void tarn_conv_integer(const tarn_conv_integer_params *p, const void *x, const void *w, const void *x_zero,
                                const void *w_zero, int32_t *y);

TARN_END_C
#endif
