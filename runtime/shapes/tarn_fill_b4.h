/* SPDX-License-Identifier: MIT-0
 * The same 4-byte element everywhere. */
#ifndef TARN_FILL_B4_H
#define TARN_FILL_B4_H

#include "tarn_bytes_b4.h"

TARN_BEGIN_C

typedef struct {
    int32_t count;
} tarn_fill_b4_params;

TARN_API void tarn_fill_b4(const tarn_fill_b4_params *p, const void *value, void *y);

TARN_END_C
#endif
