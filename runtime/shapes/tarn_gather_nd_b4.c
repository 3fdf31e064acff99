/* SPDX-License-Identifier: MIT-0 */
#include "tarn_gather_nd_b4.h"

TARN_API int32_t tarn_gather_nd_b4(const tarn_gather_nd_params *p, const void *x, const void *indices, void *y)
{
    const uint8_t *from = (const uint8_t *)x;
    uint8_t *to = (uint8_t *)y;
    int32_t b;
    for (b = 0; b < p->batch; ++b) {
        int32_t i;
        for (i = 0; i < p->count; ++i) {
            const int32_t offset = tarn_gather_nd_offset(p, indices, (b * p->count) + i);
            const uint8_t *run;
            int32_t k;
            if (offset < 0) {
                return -1;
            }
            run = from + ((ptrdiff_t)TARN_BYTES_B4 * offset);
            for (k = 0; k < p->inner; ++k) {
                tarn_move_b4(to, run);
                run += TARN_BYTES_B4;
                to += TARN_BYTES_B4;
            }
        }
        from += (ptrdiff_t)TARN_BYTES_B4 * p->pitch;
    }
    return 0;
}
