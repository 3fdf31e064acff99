/* SPDX-License-Identifier: MIT-0
 * Keeps the slices of x whose condition is true, elements of 4 bytes. */
#ifndef TARN_COMPRESS_B4_H
#define TARN_COMPRESS_B4_H

#include "tarn_bytes_b4.h"
#include "tarn_compress.h"

TARN_BEGIN_C

/* y: [outer][*found][inner], dense; it shares no memory with the others. found may be NULL when the capacity is what will be
 * found. Returns 0, or -1 when that is not so or there are more than the capacity. */
TARN_API int32_t tarn_compress_b4(const tarn_compress_params *p, const void *x, const uint8_t *condition, void *y, int64_t *found);

TARN_END_C
#endif
