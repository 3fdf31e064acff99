/* SPDX-License-Identifier: MIT-0
 * A window of rows that goes from run to run as a ring: nothing of it moves. Element 0 tells which row is the oldest, counted from
 * 0; then stand the rows. Zeroes in all bytes are a window of zeroes. */
#ifndef TARN_RING_F32_H
#define TARN_RING_F32_H

#include "tarn_types_f32.h"

typedef struct {
    int32_t rows, row;  /* how many there are; elements of one */
} tarn_ring_params;

/* Where row `at` stands, counted from the first one in memory; 0 <= at < 2 * rows. */
TARN_INLINE ptrdiff_t tarn_ring_row_f32(const tarn_ring_params *p, int32_t at)
{
    const int32_t turned = (at >= p->rows) ? (at - p->rows) : at;
    return 1 + ((ptrdiff_t)turned * p->row);
}

/* The `count` rows under a kernel from row `at` on, counted from the oldest one, `dilation` apart. x: the ring. */
TARN_INLINE void tarn_ring_rows_f32(const tarn_ring_params *p, const tarn_f32 *x, int32_t at, int32_t count, int32_t dilation,
                                    const tarn_f32 **rows)
{
    int32_t from = (int32_t)tarn_load_f32(x[0]) + at;
    int32_t row;
    for (row = 0; row < count; ++row) {
        rows[row] = &x[tarn_ring_row_f32(p, from)];
        from += dilation;
    }
}

#endif
