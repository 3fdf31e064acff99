/* SPDX-License-Identifier: MIT-0
 * Numbers that 16 bits tell. */
#ifndef TARN_INT_SPREAD_SHORTS_H
#define TARN_INT_SPREAD_SHORTS_H

#include "tarn.h"

TARN_BEGIN_C

/* y: `count` numbers, those of own times 2^shift and c more, which fit. */
TARN_API void tarn_int_spread_shorts(const int16_t *own, int32_t *y, int32_t count, int32_t shift, int32_t c);

TARN_END_C
#endif
