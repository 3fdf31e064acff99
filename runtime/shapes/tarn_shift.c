/* SPDX-License-Identifier: MIT-0 */
#include "tarn_shift.h"

/* What moves down goes upwards from the first run, what moves up downwards from the last: what is still to be read is
 * left alone. */
static void tarn_shift_kept(const tarn_shift_params *p, const uint8_t *x, uint8_t *y)
{
    int32_t o;
    int32_t i;
    if (p->to <= p->from) {
        for (o = 0; o < p->outer; ++o) {
            const size_t at = (size_t)o * (size_t)p->pitch;
            const uint8_t *from = &x[at + (size_t)p->from];
            uint8_t *to = &y[at + (size_t)p->to];
            for (i = 0; i < p->kept; ++i) {
                to[i] = from[i];
            }
        }
    } else {
        for (o = p->outer; o > 0; --o) {
            const size_t at = ((size_t)o - 1u) * (size_t)p->pitch;
            const uint8_t *from = &x[at + (size_t)p->from];
            uint8_t *to = &y[at + (size_t)p->to];
            for (i = p->kept; i > 0; --i) {
                to[i - 1] = from[i - 1];
            }
        }
    }
}

TARN_API void tarn_shift(const tarn_shift_params *p, const void *x, const void *added, void *y)
{
    const uint8_t *from = (const uint8_t *)added + p->added_from;
    uint8_t *to = (uint8_t *)y + p->y_to;
    int32_t o;
    if ((p->from != p->to) || (x != y)) {
        tarn_shift_kept(p, (const uint8_t *)x, (uint8_t *)y);
    }
    for (o = 0; o < p->added_outer; ++o) {
        int32_t i;
        for (i = 0; i < p->added_bytes; ++i) {
            to[i] = from[i];
        }
        from += p->added_pitch;
        to += p->y_pitch;
    }
}
