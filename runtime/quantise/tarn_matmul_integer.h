/* SPDX-License-Identifier: MIT-0
 * Matrix products of 8-bit codes, exact in 32 bits: y[m][n] = sum over k of (a[m][k] - a_zero[m]) * (b[k][n] - b_zero[n]). */
#ifndef TARN_MATMUL_INTEGER_H
#define TARN_MATMUL_INTEGER_H

#include "tarn_byte.h"

TARN_BEGIN_C

/* Steps in elements: of a along m and k, of b along k and n, of zero points and scales along m (of a) and n (of b), and of
 * all of them along the batch axes; 0 where they do not change. flips: 0x80 for signed codes, else 0. c, an addend: of steps
 * c_row and c_column, the same for all batches. lo, hi: the range of y where it is quantised. y is dense. */
typedef struct {
    int32_t m, n, k, a_row, a_column, b_row, b_column, a_flip, b_flip;
    int32_t a_zero_row, b_zero_column, a_scale_row, b_scale_column, c_row, c_column;
    int32_t batches, rank, dims[6], a_batch[6], b_batch[6], a_zero_batch[6], b_zero_batch[6], a_scale_batch[6], b_scale_batch[6];
    float alpha;
    int32_t lo, hi;
} tarn_matmul_integer_params;

/* The offset of batch `batch` in an operand with these steps. */
TARN_INLINE int32_t tarn_matmul_integer_offset(const tarn_matmul_integer_params *p, const int32_t *steps, int32_t batch)
{
    int32_t batch_now = batch;
    int32_t offset = 0;
    int32_t axis;
    for (axis = p->rank - 1; axis >= 0; --axis) {
        offset += batch_now % p->dims[axis] * steps[axis];
        batch_now /= p->dims[axis];
    }
    return offset;
}

/* One sum: a at its row, b at its column. */
TARN_INLINE int32_t tarn_matmul_integer_sum(const tarn_matmul_integer_params *p, const uint8_t *a, int32_t a_zero, const uint8_t *b,
                                            int32_t b_zero)
{
    const uint8_t *a_at = a;
    const uint8_t *b_at = b;
    uint32_t sum = 0;
    int32_t k;
    for (k = 0; k < p->k; ++k) {
        const int32_t u = tarn_byte(a_at, 0, p->a_flip) - a_zero;
        const int32_t v = tarn_byte(b_at, 0, p->b_flip) - b_zero;
        sum += (uint32_t)(u * v);
        a_at += p->a_column;
        b_at += p->b_row;
    }
    return (int32_t)sum;
}

/* Zero points: of the type of a and of b; NULL for 0. y shares no memory with the others. */
TARN_API void tarn_matmul_integer(const tarn_matmul_integer_params *p, const void *a, const void *b, const void *a_zero,
                                  const void *b_zero, int32_t *y);

TARN_END_C
#endif
