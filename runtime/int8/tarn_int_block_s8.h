/* SPDX-License-Identifier: MIT-0
 * Integer sums of products for four outputs of one pixel or of four. Weights stand as [k/4][4 outputs][4 of k], zero beyond the
 * last k; constants as {bias, m, c} times four outputs; see tarn_requant.h. */
#ifndef TARN_INT_BLOCK_S8_H
#define TARN_INT_BLOCK_S8_H

#include "tarn_requant.h"

typedef struct {
    int32_t a, b, c, d; /* four outputs of one pixel */
} tarn_int_quad;

#define TARN_INT_DOT(w, x0, x1, x2, x3) (((w)[0] * (x0)) + ((w)[1] * (x1)) + ((w)[2] * (x2)) + ((w)[3] * (x3)))

TARN_FORCE_INLINE void tarn_int_quad_mac(tarn_int_quad *s, const int8_t *w, const int8_t *x)
{
    const int32_t x0 = x[0];
    const int32_t x1 = x[1];
    const int32_t x2 = x[2];
    const int32_t x3 = x[3];
    s->a += TARN_INT_DOT(w, x0, x1, x2, x3);
    s->b += TARN_INT_DOT(w + 4, x0, x1, x2, x3);
    s->c += TARN_INT_DOT(w + 8, x0, x1, x2, x3);
    s->d += TARN_INT_DOT(w + 12, x0, x1, x2, x3);
}

/* Writes the first `count` (1 to 4) of four codes; channel is the first one's. */
TARN_FORCE_INLINE void tarn_int_quad_finish(const tarn_int_quad *s, const tarn_requant_params *p, const int32_t *q,
                                            const int32_t *exceptions, int32_t channel, int8_t *y, int32_t count)
{
    y[0] = (int8_t)tarn_requant(p, exceptions, channel, s->a, q[4], q[8]);
    if (count > 1) {
        y[1] = (int8_t)tarn_requant(p, exceptions, channel + 1, s->b, q[5], q[9]);
    }
    if (count > 2) {
        y[2] = (int8_t)tarn_requant(p, exceptions, channel + 2, s->c, q[6], q[10]);
    }
    if (count > 3) {
        y[3] = (int8_t)tarn_requant(p, exceptions, channel + 3, s->d, q[7], q[11]);
    }
}

TARN_FORCE_INLINE tarn_int_quad tarn_int_quad_begin(const int32_t *q)
{
    tarn_int_quad s;
    s.a = q[0];
    s.b = q[1];
    s.c = q[2];
    s.d = q[3];
    return s;
}

#endif
