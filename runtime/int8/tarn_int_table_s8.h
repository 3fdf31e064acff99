/* SPDX-License-Identifier: MIT-0
 * y = table[x + 128], element by element: any function of one 8-bit code. */
#ifndef TARN_INT_TABLE_S8_H
#define TARN_INT_TABLE_S8_H

#include "tarn.h"

TARN_BEGIN_C

typedef struct {
    int32_t outer, inner;       /* runs, and elements of a run */
    int32_t x_pitch, y_pitch;   /* elements from one run to the next */
} tarn_int_table_s8_params;

/* table: 256 codes. y may be x. */
TARN_API void tarn_int_table_s8(const tarn_int_table_s8_params *p, const int8_t *x, const int8_t *table, int8_t *y);

TARN_END_C
#endif
