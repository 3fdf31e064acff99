/* SPDX-License-Identifier: MIT-0 */
#include "tarn_copy.h"
#include "tarn_words.h"

TARN_API void tarn_copy(const tarn_copy_params *p, const void *x, void *y)
{
    const uint8_t *from = (const uint8_t *)x + p->x_offset;
    uint8_t *to = (uint8_t *)y + p->y_offset;
    const int32_t inner = p->inner;
    int32_t o = p->outer;
    uint32_t bits = TARN_WORD_BITS(from) | TARN_WORD_BITS(to) | (uint32_t)inner;
    if (o > 1) {
        bits |= (uint32_t)p->x_pitch | (uint32_t)p->y_pitch;
    }
    if (tarn_words_fit(bits, inner) != 0) {
        for (; o > 0; --o) {
            tarn_move_words(to, from, inner);
            from += p->x_pitch;
            to += p->y_pitch;
        }
        return;
    }
    for (; o > 0; --o) {
        tarn_move_bytes(to, from, inner);
        from += p->x_pitch;
        to += p->y_pitch;
    }
}
