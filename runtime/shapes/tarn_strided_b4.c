/* SPDX-License-Identifier: MIT-0 */
#include "tarn_strided_b4.h"
#include "tarn_words.h"

TARN_API void tarn_strided_b4(const tarn_strided_params *p, const void *x, void *y)
{
    const int32_t last = p->rank - 1;
    const int32_t inner = p->dims[last];
    const int32_t step = p->strides[last];
    const uint8_t *from = (const uint8_t *)x + ((ptrdiff_t)TARN_BYTES_B4 * p->offset);
    uint8_t *to = (uint8_t *)y;
    int32_t at[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    uint32_t bits = (uint32_t)inner;
    int32_t words;
    int32_t axis;
    for (axis = 0; axis < last; ++axis) {
        bits |= (uint32_t)p->strides[axis];
    }
    bits = (bits * (uint32_t)TARN_BYTES_B4) | TARN_WORD_BITS(from) | TARN_WORD_BITS(to);
    words = (step == 1) && (tarn_words_fit(bits, TARN_BYTES_B4 * inner) != 0);
    do {
        if (words != 0) {
            tarn_move_words(to, from, TARN_BYTES_B4 * inner);
            to += (ptrdiff_t)TARN_BYTES_B4 * inner;
        } else {
            const uint8_t *run = from;
            int32_t i;
            for (i = 0; i < inner; ++i) {
                tarn_move_b4(to, run);
                run += (ptrdiff_t)TARN_BYTES_B4 * step;
                to += TARN_BYTES_B4;
            }
        }
        for (axis = last - 1; axis >= 0; --axis) {
            from += (ptrdiff_t)TARN_BYTES_B4 * p->strides[axis];
            if (++at[axis] < p->dims[axis]) {
                break;
            }
            at[axis] = 0;
            from -= (ptrdiff_t)TARN_BYTES_B4 * p->strides[axis] * p->dims[axis];
        }
    } while (axis >= 0);
}
