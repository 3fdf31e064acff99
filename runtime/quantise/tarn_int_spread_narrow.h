/* SPDX-License-Identifier: MIT-0
 * Weights of few bits, for kernels that read bytes. */
#ifndef TARN_INT_SPREAD_NARROW_H
#define TARN_INT_SPREAD_NARROW_H

#include "tarn.h"

TARN_BEGIN_C

/* y: words of four bytes, from the least significant one on. Each of `count` words of own has `width` bits of as many bytes as they
 * fill, the first word's in the lowest bits of its four, the next one's above them. Each byte is what is in `least` and so much more,
 * as signed bytes have it; least: 128 more than the least byte that there is, four times.
 * width: 2 or 4. */
TARN_API void tarn_int_spread_narrow(const uint32_t *own, uint32_t *y, int32_t count, int32_t width, uint32_t least);

TARN_END_C
#endif
