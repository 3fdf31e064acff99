/* SPDX-License-Identifier: MIT-0
 * A table of codes from what each is more than the one before it. */
#ifndef TARN_INT_SPREAD_CODES_H
#define TARN_INT_SPREAD_CODES_H

#include "tarn.h"

TARN_BEGIN_C

/* y: 256 codes, the first is `first`. own has, `width` bits each from the lowest bit of its first byte on, what the next code is more than
 * a code and `least`. width: 1 to 8. */
TARN_API void tarn_int_spread_codes(const uint8_t *own, int8_t *y, int32_t width, int32_t least, int32_t first);

TARN_END_C
#endif
