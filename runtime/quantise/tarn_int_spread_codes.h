/* SPDX-License-Identifier: MIT-0
 * A table of codes from what each is more than the one before it. */
#ifndef TARN_INT_SPREAD_CODES_H
#define TARN_INT_SPREAD_CODES_H

#include "tarn.h"

TARN_BEGIN_C

/* y: 256 codes, the first is `first`. A word of own has from its lowest bit on 32 / bits times what a code is more than the one before it
 * and `least`; bits: 1, 2 or 4. */
TARN_API void tarn_int_spread_codes(const uint32_t *own, int8_t *y, int32_t bits, int32_t least, int32_t first);

TARN_END_C
#endif
