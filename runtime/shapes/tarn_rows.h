/* SPDX-License-Identifier: MIT-0
 * An image that stands in planes becomes lines, each of a row of every plane, where it stands. */
#ifndef TARN_ROWS_H
#define TARN_ROWS_H

#include "tarn.h"

TARN_BEGIN_C

typedef struct {
    int32_t planes, lines; /* rows of x, plane by plane; then line by line */
    int32_t row;           /* bytes */
} tarn_rows_params;

TARN_API void tarn_rows(const tarn_rows_params *p, void *x);

TARN_END_C
#endif
