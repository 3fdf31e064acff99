/* SPDX-License-Identifier: MIT-0 */
#include "tarn_transpose_b4.h"

/* Elements go round in cycles. Each cycle is followed once, from its least position: another position is known not to be
 * the least as soon as the cycle comes by below it. */
static void transpose_in_place_b4(const tarn_transpose_b4_params *p, uint8_t *m)
{
    const int32_t last = (p->rows * p->columns) - 1;
    int32_t start;
    for (start = 1; start < last; ++start) {
        int32_t at = start;
        int32_t next;
        uint64_t held;
        do {
            /* What comes to row r, column c of the result stands in row c, column r. */
            at = (at % p->rows * p->columns) + (at / p->rows);
        } while (at > start);
        if (at < start) {
            continue;
        }
        tarn_move_b4((uint8_t *)&held, m + ((ptrdiff_t)TARN_BYTES_B4 * start));
        for (next = (at % p->rows * p->columns) + (at / p->rows); next != start; next = (at % p->rows * p->columns) + (at / p->rows)) {
            tarn_move_b4(m + ((ptrdiff_t)TARN_BYTES_B4 * at), m + ((ptrdiff_t)TARN_BYTES_B4 * next));
            at = next;
        }
        tarn_move_b4(m + ((ptrdiff_t)TARN_BYTES_B4 * at), (const uint8_t *)&held);
    }
}

TARN_API void tarn_transpose_b4(const tarn_transpose_b4_params *p, const void *x, void *y)
{
    const uint8_t *from = (const uint8_t *)x;
    uint8_t *to = (uint8_t *)y;
    int32_t matrix;
    for (matrix = 0; matrix < p->matrices; ++matrix) {
        if (from == to) {
            transpose_in_place_b4(p, to);
            to += (ptrdiff_t)TARN_BYTES_B4 * p->rows * p->columns;
        } else {
            int32_t c;
            for (c = 0; c < p->columns; ++c) {
                const uint8_t *run = from + ((ptrdiff_t)TARN_BYTES_B4 * c);
                int32_t r;
                for (r = 0; r < p->rows; ++r) {
                    tarn_move_b4(to, run);
                    to += TARN_BYTES_B4;
                    run += (ptrdiff_t)TARN_BYTES_B4 * p->columns;
                }
            }
        }
        from += (ptrdiff_t)TARN_BYTES_B4 * p->rows * p->columns;
    }
}
