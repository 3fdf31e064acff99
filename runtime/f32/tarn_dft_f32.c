/* SPDX-License-Identifier: MIT-0 */
#include "tarn_dft_f32.h"

/* Point j of the transform of `count` points of x, `pitch` numbers apart. */
static void dft_point_f32(const tarn_dft_params *p, const tarn_f32 *x, int32_t count, int32_t pitch, const tarn_acc_f32 *table,
                          int32_t n, int32_t j, tarn_f32 *y)
{
    const tarn_acc_f32 sign = (tarn_acc_f32)(p->inverse ? 1 : -1);
    tarn_acc_f32 real = 0;
    tarn_acc_f32 imaginary = 0;
    int32_t turn = 0;
    int32_t k;
    for (k = 0; k < count; ++k) {
        const tarn_acc_f32 cosine = table[(ptrdiff_t)2 * turn];
        const tarn_acc_f32 sine = sign * table[(2 * turn) + 1];
        tarn_acc_f32 a = tarn_load_f32(x[(ptrdiff_t)k * pitch]);
        tarn_acc_f32 b = (p->x_parts == 2) ? tarn_load_f32(x[(k * pitch) + 1]) : (tarn_acc_f32)0;
        if (p->inverse && p->half && (k > 0) && ((2 * k) != n)) {
            /* It stands for its mirror image too. */
            a = a + a;
            b = b + b;
        }
        real += (a * cosine) - (b * sine);
        imaginary += (b * cosine) + (a * sine);
        turn += j;
        turn = (turn >= n) ? (turn - n) : turn;
    }
    if (p->inverse) {
        real = real / (tarn_acc_f32)n;
        imaginary = imaginary / (tarn_acc_f32)n;
    }
    y[0] = tarn_store_f32(real);
    if (p->y_parts == 2) {
        y[1] = tarn_store_f32(imaginary);
    }
}

TARN_API int32_t tarn_dft_f32(const tarn_dft_params *p, const tarn_f32 *x, const tarn_acc_f32 *table, const int64_t *axis,
                              tarn_f32 *y)
{
    int32_t along = p->axis;
    int32_t outer = 1;
    int32_t inner = 1;
    int32_t n;
    int32_t count;
    int32_t i;
    if (axis != NULL) {
        /* The last axis holds the parts of the numbers. */
        const int64_t at = (*axis < 0) ? (*axis + p->rank + 1) : *axis;
        along = ((at < 0) || (at >= p->rank)) ? -1 : (int32_t)at;
    }
    if ((along < 0) || (p->length[along] == 0)) {
        return -1;
    }
    for (i = 0; i < p->rank; ++i) {
        if ((i != along) && (p->in[i] != p->out[i])) {
            return -1;
        }
        outer *= (i < along) ? p->in[i] : 1;
        inner *= (i > along) ? p->in[i] : 1;
    }
    n = p->length[along];
    count = (p->inverse && p->half) ? ((n / 2) + 1) : n;
    count = (count < p->in[along]) ? count : p->in[along];
    table += (ptrdiff_t)2 * p->table_at[along];
    for (i = 0; i < (outer * inner); ++i) {
        const tarn_f32 *from = x + ((ptrdiff_t)((i / inner * p->in[along] * inner) + (i % inner)) * p->x_parts);
        tarn_f32 *to = y + ((ptrdiff_t)((i / inner * p->out[along] * inner) + (i % inner)) * p->y_parts);
        int32_t j;
        for (j = 0; j < p->out[along]; ++j) {
            dft_point_f32(p, from, count, inner * p->x_parts, table, n, j, to + ((ptrdiff_t)j * inner * p->y_parts));
        }
    }
    return 0;
}
