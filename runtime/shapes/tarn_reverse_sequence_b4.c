/* SPDX-License-Identifier: MIT-0 */
#include "tarn_reverse_sequence_b4.h"

TARN_API int32_t tarn_reverse_sequence_b4(const tarn_reverse_sequence_params *p, const void *x, const int64_t *lengths, void *y)
{
    int32_t b;
    for (b = 0; b < p->batch; ++b) {
        int32_t length;
        int32_t t;
        if ((lengths[b] < 0) || (lengths[b] > p->time)) {
            return -1;
        }
        length = (int32_t)lengths[b];
        for (t = 0; t < p->time; ++t) {
            const int32_t source = (t < length) ? (length - 1 - t) : t;
            const uint8_t *from = (const uint8_t *)x + ((ptrdiff_t)TARN_BYTES_B4 * ((b * p->batch_pitch) + (source * p->time_pitch)));
            uint8_t *to = (uint8_t *)y + ((ptrdiff_t)TARN_BYTES_B4 * ((b * p->batch_pitch) + (t * p->time_pitch)));
            int32_t i;
            for (i = 0; i < p->inner; ++i) {
                tarn_move_b4(to, from);
                from += TARN_BYTES_B4;
                to += TARN_BYTES_B4;
            }
        }
    }
    return 0;
}
