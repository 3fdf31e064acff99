/* SPDX-License-Identifier: MIT-0
 * Transposed matrices, out of place or in place. */
#ifndef TARN_TRANSPOSE_B4_H
#define TARN_TRANSPOSE_B4_H

#include "tarn_bytes_b4.h"

TARN_BEGIN_C

typedef struct {
    int32_t matrices;        /* one after the other */
    int32_t rows, columns;   /* of x */
} tarn_transpose_b4_params;

/* y is x, or they share nothing. */
TARN_API void tarn_transpose_b4(const tarn_transpose_b4_params *p, const void *x, void *y);

TARN_END_C
#endif
