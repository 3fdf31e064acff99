/* SPDX-License-Identifier: MIT-0 */
#include "tarn_tensor_scatter_b4.h"

TARN_API int32_t tarn_tensor_scatter_b4(const tarn_tensor_scatter_params *p, const void *cache, const void *update,
                                        const int64_t *positions, void *y)
{
    const int32_t total = p->batch * p->outer * p->size * p->inner;
    const uint8_t *from = (const uint8_t *)cache;
    uint8_t *to = (uint8_t *)y;
    int32_t i;
    for (i = (to != from) ? 0 : total; i < total; ++i) { /* nothing where y lies over the cache */
        tarn_move_b4(to, from);
        from += TARN_BYTES_B4;
        to += TARN_BYTES_B4;
    }
    from = (const uint8_t *)update;
    for (i = 0; i < (p->batch * p->outer * p->count); ++i) {
        const int32_t block = i / p->count;
        int64_t at = (positions != NULL) ? positions[block / p->outer] : 0;
        int32_t k;
        if ((at < 0) || ((p->circular == 0) && (at > p->size))) {
            return -1;
        }
        if (p->circular != 0) {
            at %= p->size;
        }
        at += i % p->count;
        if ((p->circular != 0) && (at >= p->size)) {
            at -= p->size;
        }
        if (at >= p->size) {
            return -1;
        }
        to = (uint8_t *)y + ((ptrdiff_t)TARN_BYTES_B4 * p->inner * ((block * p->size) + (int32_t)at));
        for (k = 0; k < p->inner; ++k) {
            tarn_move_b4(to, from);
            from += TARN_BYTES_B4;
            to += TARN_BYTES_B4;
        }
    }
    return 0;
}
