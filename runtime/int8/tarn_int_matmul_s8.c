/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_matmul_s8.h"

/* What the zero point of b takes from every sum of a row. */
static int32_t int_matmul_begin_s8(const tarn_int_matmul_s8_params *p, const int8_t *a)
{
    int32_t sum = 0;
    int32_t i;
    for (i = 0; i < p->k; ++i) {
        sum += a[i] - p->a_zero;
    }
    return -p->b_zero * sum;
}

/* Two rows of y; the second may be the first once more. */
static void int_matmul_rows_s8(const tarn_int_matmul_s8_params *p, const int8_t *a0, const int8_t *a1, const int8_t *b,
                               const int32_t *exceptions, int8_t *y0, int8_t *y1)
{
    const int32_t begin0 = int_matmul_begin_s8(p, a0);
    const int32_t begin1 = int_matmul_begin_s8(p, a1);
    const int32_t zero = p->a_zero;
    const int32_t n = p->n;
    const int32_t column = p->b_column;
    int32_t sums[8];
    int32_t j = 0;
    while (j < n) {
        const int32_t count = ((n - j) < 4) ? (n - j) : 4;
        const int8_t *u = a0;
        const int8_t *v = a1;
        const int8_t *w = b + ((ptrdiff_t)j * column);
        int32_t left = p->k;
        int32_t i;
        if (count == 4) {
            int32_t s0 = begin0, s1 = begin0, s2 = begin0, s3 = begin0;
            int32_t t0 = begin1, t1 = begin1, t2 = begin1, t3 = begin1;
            for (; left > 0; --left) {
                const int32_t x0 = *u++ - zero;
                const int32_t x1 = *v++ - zero;
                int32_t value = w[0];
                s0 += x0 * value;
                t0 += x1 * value;
                value = w[column];
                s1 += x0 * value;
                t1 += x1 * value;
                value = w[(ptrdiff_t)2 * column];
                s2 += x0 * value;
                t2 += x1 * value;
                value = w[(ptrdiff_t)3 * column];
                s3 += x0 * value;
                t3 += x1 * value;
                w += p->b_row;
            }
            sums[0] = s0;
            sums[1] = s1;
            sums[2] = s2;
            sums[3] = s3;
            sums[4] = t0;
            sums[5] = t1;
            sums[6] = t2;
            sums[7] = t3;
        } else {
            for (i = 0; i < count; ++i) {
                int32_t k;
                sums[i] = begin0;
                sums[4 + i] = begin1;
                for (k = 0; k < p->k; ++k) {
                    sums[i] += (u[k] - zero) * w[(k * p->b_row) + (i * column)];
                    sums[4 + i] += (v[k] - zero) * w[(k * p->b_row) + (i * column)];
                }
            }
        }
        for (i = 0; i < count; ++i) {
            y0[j + i] = (int8_t)tarn_requant(&p->requant, exceptions, 0, sums[i], p->factor, p->constant);
            y1[j + i] = (int8_t)tarn_requant(&p->requant, exceptions, 0, sums[4 + i], p->factor, p->constant);
        }
        j += count;
    }
}

TARN_API void tarn_int_matmul_s8(const tarn_int_matmul_s8_params *p, const int8_t *a, const int8_t *b, const int32_t *exceptions,
                                 int8_t *y)
{
    const int8_t *a_at = a;
    const int8_t *b_at = b;
    int8_t *y_at = y;
    int32_t batch;
    for (batch = 0; batch < p->batches; ++batch) {
        int32_t row;
        for (row = 0; row < p->m; row += 2) {
            const int32_t next = ((row + 1) < p->m) ? (row + 1) : row;
            int_matmul_rows_s8(p, a_at + ((ptrdiff_t)row * p->a_row), a_at + ((ptrdiff_t)next * p->a_row), b_at, exceptions, y_at + ((ptrdiff_t)row * p->y_row),
                               y_at + ((ptrdiff_t)next * p->y_row));
        }
        a_at += p->a_batch;
        b_at += p->b_batch;
        y_at += p->y_batch;
    }
}
