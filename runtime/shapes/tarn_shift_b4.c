/* SPDX-License-Identifier: MIT-0 */
#include "tarn_shift_b4.h"

/* What moves down goes upwards from the first run, what moves up downwards from the last: what is still to be read is
 * left alone. */
static void tarn_shift_kept_b4(const tarn_shift_params *p, const uint8_t *x, uint8_t *y)
{
    int32_t o;
    int32_t i;
    if (p->to <= p->from) {
        for (o = 0; o < p->outer; ++o) {
            const ptrdiff_t at = (ptrdiff_t)o * p->pitch;
            const uint8_t *from = &x[TARN_BYTES_B4 * (at + p->from)];
            uint8_t *to = &y[TARN_BYTES_B4 * (at + p->to)];
            for (i = 0; i < p->kept; ++i) {
                tarn_move_b4(to, from);
                from += TARN_BYTES_B4;
                to += TARN_BYTES_B4;
            }
        }
    } else {
        for (o = p->outer; o > 0; --o) {
            const ptrdiff_t at = (((ptrdiff_t)o - 1) * p->pitch) + p->kept;
            const uint8_t *from = &x[TARN_BYTES_B4 * (at + p->from)];
            uint8_t *to = &y[TARN_BYTES_B4 * (at + p->to)];
            for (i = p->kept; i > 0; --i) {
                from -= TARN_BYTES_B4;
                to -= TARN_BYTES_B4;
                tarn_move_b4(to, from);
            }
        }
    }
}

TARN_API void tarn_shift_b4(const tarn_shift_params *p, const void *x, const void *added, void *y)
{
    int32_t o;
    if ((p->from != p->to) || (x != y)) {
        tarn_shift_kept_b4(p, (const uint8_t *)x, (uint8_t *)y);
    }
    for (o = 0; o < p->added_outer; ++o) {
        const uint8_t *from = (const uint8_t *)added + (TARN_BYTES_B4 * (((ptrdiff_t)o * p->added_pitch) + p->added_from));
        uint8_t *to = (uint8_t *)y + (TARN_BYTES_B4 * (((ptrdiff_t)o * p->y_pitch) + p->y_to));
        int32_t i;
        for (i = 0; i < p->added_count; ++i) {
            tarn_move_b4(to, from);
            from += TARN_BYTES_B4;
            to += TARN_BYTES_B4;
        }
    }
}
