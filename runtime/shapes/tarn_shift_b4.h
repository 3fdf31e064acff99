/* SPDX-License-Identifier: MIT-0
 * A window that goes on, of elements of 4 bytes. */
#ifndef TARN_SHIFT_B4_H
#define TARN_SHIFT_B4_H

#include "tarn_bytes_b4.h"
#include "tarn_shift.h"

TARN_BEGIN_C

/* y is x itself, or shares no byte with it; it shares none with `added`. */
TARN_API void tarn_shift_b4(const tarn_shift_params *p, const void *x, const void *added, void *y);

TARN_END_C
#endif
