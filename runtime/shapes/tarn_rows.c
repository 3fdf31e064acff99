/* SPDX-License-Identifier: MIT-0 */
#include "tarn_rows.h"

#define TARN_ROWS_PIECE 32

static int32_t tarn_rows_from(const tarn_rows_params *p, int32_t at)
{
    return (at % p->planes * p->lines) + (at / p->planes);
}

static void tarn_rows_move(uint8_t *to, const uint8_t *from, int32_t bytes)
{
    int32_t i;
    for (i = 0; i < bytes; ++i) {
        to[i] = from[i];
    }
}

/* Rows go round in cycles. Each cycle is followed from its least position, a piece of the rows at a time. */
TARN_API void tarn_rows(const tarn_rows_params *p, void *x)
{
    uint8_t *m = (uint8_t *)x;
    const int32_t last = (p->planes * p->lines) - 1;
    int32_t start;
    for (start = 1; start < last; ++start) {
        int32_t first;
        int32_t at = start;
        do {
            at = tarn_rows_from(p, at);
        } while (at > start);
        for (first = 0; (at == start) && (first < p->row); first += TARN_ROWS_PIECE) {
            const int32_t bytes = (p->row - first) < TARN_ROWS_PIECE ? (p->row - first) : TARN_ROWS_PIECE;
            uint8_t held[TARN_ROWS_PIECE];
            int32_t to = start;
            int32_t next = tarn_rows_from(p, to);
            tarn_rows_move(held, m + ((ptrdiff_t)start * p->row) + first, bytes);
            while (next != start) {
                tarn_rows_move(m + ((ptrdiff_t)to * p->row) + first, m + ((ptrdiff_t)next * p->row) + first, bytes);
                to = next;
                next = tarn_rows_from(p, to);
            }
            tarn_rows_move(m + ((ptrdiff_t)to * p->row) + first, held, bytes);
        }
    }
}

#undef TARN_ROWS_PIECE
