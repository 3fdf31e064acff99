/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dense_s8.h"
#include "tarn_int_block_s8.h"

TARN_API void tarn_int_dense_s8(const tarn_int_dense_s8_params *p, const int8_t *x, const int8_t *w, const int32_t *q,
                                const int32_t *w_zero, const int32_t *exceptions, int8_t *y)
{
    int32_t sum = 0;
    int32_t o;
    int32_t i;
    if (w_zero != NULL) {
        for (i = 0; i < p->inputs; ++i) {
            sum += x[i];
        }
    }
    for (o = 0; o < p->outputs; o += 4) {
        tarn_int_quad s = tarn_int_quad_begin(q);
        for (i = 0; i + 4 <= p->inputs; i += 4) {
            tarn_int_quad_mac(&s, w, x + i);
            w += 16;
        }
        if (i < p->inputs) {
            int8_t last[4] = {0, 0, 0, 0};
            int32_t k;
            for (k = 0; i + k < p->inputs; ++k) {
                last[k] = x[i + k];
            }
            tarn_int_quad_mac(&s, w, last);
            w += 16;
        }
        if (w_zero != NULL) {
            s.a -= w_zero[o] * sum;
            s.b -= w_zero[o + 1] * sum;
            s.c -= w_zero[o + 2] * sum;
            s.d -= w_zero[o + 3] * sum;
        }
        tarn_int_quad_finish(&s, &p->requant, q, exceptions, o, y + o, p->outputs - o);
        q += 12;
    }
}
