/* SPDX-License-Identifier: MIT-0
 * Numbers that few bits tell. */
#ifndef TARN_INT_SPREAD_SHORTS_H
#define TARN_INT_SPREAD_SHORTS_H

#include "tarn.h"

TARN_BEGIN_C

/* y: `count` numbers. own has them, `width` bits each from the lowest bit of its first byte on, as what times 2^shift and with c more fits.
 * width: 1 to 16. */
TARN_API void tarn_int_spread_shorts(const uint8_t *own, int32_t *y, int32_t count, int32_t width, int32_t shift, int32_t c);

TARN_END_C
#endif
