/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dense_s8.h"
#include "tarn_int_block_s8.h"
#include "tarn_int_dense_avx2.h"
#include "tarn_int_dots.h"

#if !TARN_INT_AVX2

/* n steps for four outputs; weights with zero points are unsigned bytes. */
static void int_dense_add_s8(int32_t *sums, const int8_t *w, const int8_t *x, int32_t n, const int32_t *w_zero)
{
    if (w_zero != NULL) {
        tarn_int_dots_mixed(sums, (const uint8_t *)w, x, n);
    } else {
        tarn_int_dots(sums, w, x, n);
    }
}

#endif

TARN_API void tarn_int_dense_s8(const tarn_int_dense_s8_params *p, const int8_t *x, const int8_t *w, const int32_t *q,
                                const int32_t *w_zero, const int32_t *exceptions, int8_t *y)
{
#if TARN_INT_AVX2
    tarn_int_dense_avx2(p, x, w, q, w_zero, exceptions, y);
#else
    const int8_t *w_at = w;
    const int32_t *q_at = q;
    const int32_t whole = p->inputs & ~3;
    int8_t last[4] = {0, 0, 0, 0};
    int32_t sum = 0;
    int32_t o;
    int32_t i;
    if (w_zero != NULL) {
        for (i = 0; i < p->inputs; ++i) {
            sum += x[i];
        }
    }
    for (i = whole; i < p->inputs; ++i) {
        last[i & 3] = x[i];
    }
    for (o = 0; o < p->outputs; o += 4) {
        int32_t sums[4];
        tarn_int_quad s;
        for (i = 0; i < 4; ++i) {
            sums[i] = (w_zero != NULL) ? (q_at[i] - (w_zero[o + i] * sum)) : q_at[i];
        }
        if (whole != 0) {
            int_dense_add_s8(sums, w_at, x, whole, w_zero);
            w_at += (ptrdiff_t)4 * whole;
        }
        if (whole != p->inputs) {
            int_dense_add_s8(sums, w_at, last, 4, w_zero);
            w_at += 16;
        }
        s.a = sums[0];
        s.b = sums[1];
        s.c = sums[2];
        s.d = sums[3];
        tarn_int_quad_finish(&s, &p->requant, q_at, exceptions, o, y + o, p->outputs - o);
        q_at += 12;
    }
#endif
}
