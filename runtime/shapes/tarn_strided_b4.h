/* SPDX-License-Identifier: MIT-0
 * Strided copy of 4-byte elements. */
#ifndef TARN_STRIDED_B4_H
#define TARN_STRIDED_B4_H

#include "tarn_bytes_b4.h"
#include "tarn_strided.h"

TARN_BEGIN_C

TARN_API void tarn_strided_b4(const tarn_strided_params *p, const void *x, void *y);

TARN_END_C
#endif
