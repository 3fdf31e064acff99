/* SPDX-License-Identifier: MIT-0
 * Padding of 4-byte elements. */
#ifndef TARN_PAD_B4_H
#define TARN_PAD_B4_H

#include "tarn_bytes_b4.h"
#include "tarn_pad.h"

TARN_BEGIN_C

/* x: NULL for padding alone; value: the element to pad with, NULL for zero. y is written upwards; an element of x is read where it is written. */
TARN_API void tarn_pad_b4(const tarn_pad_params *p, const void *x, const void *value, void *y);

TARN_END_C
#endif
