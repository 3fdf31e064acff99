/* SPDX-License-Identifier: MIT-0
 * A triangle of matrices of 4-byte elements, zero elsewhere. k: the diagonal, or null for the main one. y may be x. */
#ifndef TARN_TRILU_B4_H
#define TARN_TRILU_B4_H

#include "tarn_bytes_b4.h"
#include "tarn_trilu.h"

TARN_BEGIN_C

TARN_API void tarn_trilu_b4(const tarn_trilu_params *p, const void *x, const int64_t *k, void *y);

TARN_END_C
#endif
