/* SPDX-License-Identifier: MIT-0
 * y = c ? a : b for 4-byte elements; y may be a or b where these are dense. */
#ifndef TARN_WHERE_B4_H
#define TARN_WHERE_B4_H

#include "tarn_bytes_b4.h"
#include "tarn_where.h"

TARN_BEGIN_C

TARN_API void tarn_where_b4(const tarn_where_params *p, const uint8_t *c, const void *a, const void *b, void *y);

TARN_END_C
#endif
