/* SPDX-License-Identifier: MIT-0
 * Recurrent layers whose sequences are codes: each step is one of the float kernel, its row of x made floats before it, its
 * row of y made codes behind it. States stay floats from step to step. */
#ifndef TARN_RECURRENT_CODES_S8_H
#define TARN_RECURRENT_CODES_S8_H

#include "tarn_int_dequantize_s8.h"
#include "tarn_int_quantize_s8.h"
#include "tarn_recurrent_f32.h"

typedef struct {
    int32_t steps;
    int32_t reverse;        /* from the last step to the first */
    int32_t x_time, y_time; /* elements from one step to the next */
    tarn_int_dequantize_s8_params x;
    tarn_int_quantize_s8_params y; /* of one row each */
} tarn_recurrent_codes_s8_params;

/* Where the rows of step s stand. */
TARN_FORCE_INLINE int32_t tarn_recurrent_time_s8(const tarn_recurrent_codes_s8_params *p, int32_t s)
{
    return (p->reverse != 0) ? (p->steps - 1 - s) : s;
}

TARN_FORCE_INLINE void tarn_recurrent_read_s8(const tarn_recurrent_codes_s8_params *p, const int8_t *x, int32_t s, tarn_f32 *row)
{
    tarn_int_dequantize_s8(&p->x, x + ((ptrdiff_t)tarn_recurrent_time_s8(p, s) * p->x_time), row);
}

/* y: NULL for none. */
TARN_FORCE_INLINE void tarn_recurrent_write_s8(const tarn_recurrent_codes_s8_params *p, const tarn_f32 *state, int32_t s, int8_t *y)
{
    if (y != NULL) {
        tarn_int_quantize_s8(&p->y, state, y + ((ptrdiff_t)tarn_recurrent_time_s8(p, s) * p->y_time));
    }
}

/* last: NULL for none. */
TARN_FORCE_INLINE void tarn_recurrent_keep_s8(const tarn_f32 *state, int32_t units, tarn_f32 *last)
{
    int32_t j;
    for (j = 0; (j < units) && (last != NULL); ++j) {
        last[j] = state[j];
    }
}

#endif
