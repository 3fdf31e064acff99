/* SPDX-License-Identifier: MIT-0
 * Products of recurrent layers over coded weights (see tarn_coded_f32.h): four gates of a unit, or a gate of four units, are
 * four rows. */
#ifndef TARN_RECURRENT_CODED_F32_H
#define TARN_RECURRENT_CODED_F32_H

#include "tarn_coded_f32.h"

typedef struct {
    const tarn_coded_layout_f32 *layout; /* columns: inputs, or units */
    const uint8_t *codes;
    const uint16_t *scale;
    const int8_t *zero;
} tarn_recurrent_coded_f32;

/* Adds the products of x[n] with the four rows that begin after `at` weights; `bits` is a constant wherever this is called. */
TARN_FORCE_INLINE void tarn_recurrent_coded_products_f32(int32_t bits, tarn_quad_f32 *s, const tarn_f32 *x, const void *w,
                                                         ptrdiff_t at, int32_t n)
{
    if (n > 0) {
        const tarn_recurrent_coded_f32 *coded = (const tarn_recurrent_coded_f32 *)w;
        const tarn_coded_rows_f32 rows = tarn_coded_rows_at_f32(bits, coded->layout, coded->codes, coded->scale, coded->zero,
                                                                (int32_t)(at / ((ptrdiff_t)4 * n)));
        tarn_coded_run_f32(bits, &rows, 1, x, 0, 0, n, s);
    }
}

#endif
