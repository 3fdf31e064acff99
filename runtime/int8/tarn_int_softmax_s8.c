/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_softmax_s8.h"

TARN_SMALL static void int_softmax_vector_s8(const tarn_int_softmax_s8_params *p, const int8_t *x, const uint32_t *table, int8_t *y)
{
    const int32_t end = p->count * p->inner;
    const uint32_t factor = (uint32_t)p->half_step;
    int32_t most = x[0];
    uint64_t sum = 0;
    uint32_t half;
    int32_t i;
    for (i = p->inner; i < end; i += p->inner) {
        most = (x[i] > most) ? x[i] : most;
    }
    for (i = 0; i < end; i += p->inner) {
        sum += table[most - x[i]];
    }
    /* Half a step of y, in the table's unit. */
    half = (uint32_t)(((sum >> 32) * factor) + ((((uint64_t)(uint32_t)sum * factor) + 0x80000000u) >> 32));
    for (i = 0; i < end; i += p->inner) {
        const uint32_t t = table[most - x[i]] + half;
        uint32_t q = t / (2 * half);
        int32_t code;
        if (((q & 1) != 0) && ((q * (2 * half)) == t)) {
            --q;
        }
        code = (int32_t)q + p->zero;
        y[i] = (int8_t)((code > 127) ? 127 : code);
    }
}

TARN_SMALL TARN_API void tarn_int_softmax_s8(const tarn_int_softmax_s8_params *p, const int8_t *x, const uint32_t *table, int8_t *y)
{
    const int8_t *x_at = x;
    int8_t *y_at = y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->inner; ++i) {
            int_softmax_vector_s8(p, x_at + i, table, y_at + i);
        }
        x_at += p->x_pitch;
        y_at += p->y_pitch;
    }
}
