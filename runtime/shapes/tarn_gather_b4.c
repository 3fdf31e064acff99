/* SPDX-License-Identifier: MIT-0 */
#include "tarn_gather_b4.h"

TARN_API int32_t tarn_gather_b4(const tarn_gather_params *p, const void *x, const void *indices, void *y)
{
    const ptrdiff_t slice = (ptrdiff_t)TARN_BYTES_B4 * p->inner;
    const uint8_t *from = (const uint8_t *)x;
    uint8_t *to = (uint8_t *)y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i;
        for (i = 0; i < p->count; ++i) {
            const int32_t at = tarn_index(indices, p->wide, i, p->size);
            const uint8_t *run;
            int32_t k;
            if (at < 0) {
                return -1;
            }
            run = from + (at * slice);
            for (k = 0; k < p->inner; ++k) {
                tarn_move_b4(to, run);
                run += TARN_BYTES_B4;
                to += TARN_BYTES_B4;
            }
        }
        from += p->size * slice;
    }
    return 0;
}
