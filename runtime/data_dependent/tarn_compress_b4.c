/* SPDX-License-Identifier: MIT-0 */
#include "tarn_compress_b4.h"

TARN_API int32_t tarn_compress_b4(const tarn_compress_params *p, const void *x, const uint8_t *condition, void *y, int64_t *found)
{
    uint8_t *to = (uint8_t *)y;
    int32_t total = 0;
    int32_t status = 0;
    int32_t o;
    for (o = 0; o < p->count; ++o) {
        total += condition[o] != 0;
    }
    if ((total > p->capacity) || ((found == NULL) && (total != p->capacity))) {
        total = (total > p->capacity) ? p->capacity : total;
        status = -1;
    }
    for (o = 0; o < p->outer; ++o) {
        int32_t kept = 0;
        int32_t i;
        for (i = 0; (i < p->count) && (kept < total); ++i) {
            const uint8_t *from = (const uint8_t *)x + ((ptrdiff_t)TARN_BYTES_B4 * p->inner * ((o * p->size) + i));
            int32_t k;
            if (condition[i] == 0) {
                continue;
            }
            for (k = 0; k < p->inner; ++k) {
                tarn_move_b4(to, from);
                from += TARN_BYTES_B4;
                to += TARN_BYTES_B4;
            }
            ++kept;
        }
    }
    if (found != NULL) {
        *found = total;
    }
    return status;
}
