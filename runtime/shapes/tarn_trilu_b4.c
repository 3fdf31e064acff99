/* SPDX-License-Identifier: MIT-0 */
#include "tarn_trilu_b4.h"

TARN_API void tarn_trilu_b4(const tarn_trilu_params *p, const void *x, const int64_t *k, void *y)
{
    static const uint64_t zero = 0;
    const int64_t diagonal = k ? *k : 0;
    const uint8_t *from = (const uint8_t *)x;
    uint8_t *to = (uint8_t *)y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t r;
        for (r = 0; r < p->rows; ++r) {
            int32_t c;
            for (c = 0; c < p->columns; ++c) {
                const int64_t above = (int64_t)c - r;
                const int keep = (p->upper != 0) ? (above >= diagonal) : (above <= diagonal);
                tarn_move_b4(to, keep ? from : (const uint8_t *)&zero);
                from += TARN_BYTES_B4;
                to += TARN_BYTES_B4;
            }
        }
    }
}
