/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_matmul_mve_s8.h"

/* A column of b, sixteen of every 32 bytes of w; returns its sum. */
static int32_t int_matmul_mve_column_s8(const int8_t *b, int32_t step, int32_t k, int8_t *w)
{
    const int8_t *from = b;
    int8_t *to = w;
    int32_t sum = 0;
    int32_t left = k;
    while (left > 0) {
        const int32_t some = (left < 16) ? left : 16;
        const int8_t *end = to + some;
        do {
            sum += *from;
            *to++ = *from;
            from += step;
        } while (to != end);
        to += 16;
        left -= some;
    }
    return sum;
}

/* `count` columns of b, four by four; behind q the negative zero points. */
static void int_matmul_mve_pack_s8(const tarn_int_matmul_mve_s8_params *p, const int8_t *b, int32_t count, int8_t *w, int32_t *q)
{
    const int32_t padded = (p->k + 15) / 16 * 16;
    int32_t *zeros = q + ((ptrdiff_t)3 * p->columns);
    int8_t *w_at = w;
    int32_t *q_at = q;
    int32_t i;
    for (i = 0; i < count; i += 4) {
        int32_t lane;
        for (lane = 0; lane < 4; ++lane) {
            const int32_t begin = ((lane & 1) * 2) + (lane >> 1);
            zeros[i + lane] = -p->b_zero;
            if ((i + lane) < count) {
                int8_t *to = w_at + ((ptrdiff_t)(lane & 1) * 2 * padded) + ((ptrdiff_t)(lane >> 1) * 16);
                q_at[begin] = p->a_zero * ((p->k * p->b_zero) - int_matmul_mve_column_s8(b + ((ptrdiff_t)(i + lane) * p->b_column), p->b_row, p->k, to));
                q_at[4 + lane] = p->factor;
                q_at[8 + lane] = p->constant;
            } else {
                /* A column that is not there is in no zone. */
                q_at[begin] = 0;
                q_at[4 + lane] = 0;
                q_at[8 + lane] = p->requant.mask & -p->requant.mask;
            }
        }
        w_at += (ptrdiff_t)4 * padded;
        q_at += 12;
    }
}

TARN_API void tarn_int_matmul_mve_s8(const tarn_int_matmul_mve_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y, int8_t *w,
                                     int32_t *q)
{
    const int32_t *zeros = (p->b_zero != 0) ? (q + ((ptrdiff_t)3 * p->columns)) : NULL;
    int32_t column;
    for (column = 0; column < p->n; column += p->columns) {
        const int32_t count = ((p->n - column) < p->columns) ? (p->n - column) : p->columns;
        const int8_t *a_at = a;
        int8_t *y_first = y + column;
        tarn_int_mve_state s;
        int32_t batch;
        tarn_int_mve_begin(&s, &p->requant, NULL, p->k, count);
        for (batch = 0; batch < p->batches; ++batch) {
            const int8_t *row = a_at;
            int8_t *y_at = y_first;
            int32_t left = p->m;
            if ((batch == 0) || (p->b_batch != 0)) {
                int_matmul_mve_pack_s8(p, b + ((ptrdiff_t)batch * p->b_batch) + ((ptrdiff_t)column * p->b_column), count, w, q);
            }
            while (left > 0) {
                const int32_t rows = (left < 3) ? left : 3;
                int32_t i;
                /* The first row stands for those that are not there. */
                for (i = 0; i < 3; ++i) {
                    s.x[i] = row + ((i < rows) ? ((ptrdiff_t)i * p->a_row) : 0);
                    s.x_sums[i] = (zeros != NULL) ? tarn_int_mve_sum(s.x[i], p->k) : 0;
                }
                tarn_int_mve_outputs(&s, 1, w, q, zeros, y_at, p->y_row, rows);
                row += (ptrdiff_t)rows * p->a_row;
                y_at += (ptrdiff_t)rows * p->y_row;
                left -= rows;
            }
            a_at += p->a_batch;
            y_first += p->y_batch;
        }
    }
}
