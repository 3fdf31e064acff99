/* SPDX-License-Identifier: MIT-0 */
#include "tarn_pad_b4.h"
#include "tarn_words.h"

/* The pixels from `first` to before `end` of a row, each looked for by itself; row: where its first pixel of x is, NULL: there is none. */
static uint8_t *pad_pixels_b4(const tarn_pad_params *p, const uint8_t *row, const uint8_t *fill, int32_t first, int32_t end, uint8_t *y)
{
    const int32_t last = p->rank - 1;
    const int32_t inner = p->inner;
    uint8_t *to = y;
    int32_t i;
    for (i = first; i < end; ++i) {
        const int32_t s = (row == NULL) ? -1 : tarn_pad_source(p->mode, p->in[last], i - p->begin[last]);
        const uint8_t *from = (s < 0) ? fill : (row + (TARN_BYTES_B4 * ((ptrdiff_t)s * p->stride[last])));
        const int32_t step = (s < 0) ? 0 : TARN_BYTES_B4;
        int32_t k;
        for (k = 0; k < inner; ++k) {
            tarn_move_b4(to, from);
            to += TARN_BYTES_B4;
            from += step;
        }
    }
    return to;
}

/* Where a position of x comes to be along the last axis. */
static int32_t pad_bound_b4(const tarn_pad_params *p, int32_t at)
{
    const int32_t last = p->rank - 1;
    const int32_t moved = at + p->begin[last];
    return (moved < 0) ? 0 : ((moved < p->out[last]) ? moved : p->out[last]);
}

/* Whether a row's pixels within x are one run that is moved by words. */
static int32_t pad_by_words_b4(const tarn_pad_params *p, const void *x, const void *y, int32_t pixels)
{
    const int32_t last = p->rank - 1;
    uint32_t bits = (uint32_t)p->offset | (uint32_t)p->inner;
    int32_t axis;
    if (p->stride[last] != p->inner) {
        return 0;
    }
    for (axis = 0; axis < last; ++axis) {
        bits |= (uint32_t)p->stride[axis];
    }
    return tarn_words_fit((bits * (uint32_t)TARN_BYTES_B4) | TARN_WORD_BITS(x) | TARN_WORD_BITS(y), TARN_BYTES_B4 * p->inner * pixels);
}

TARN_API void tarn_pad_b4(const tarn_pad_params *p, const void *x, const void *value, void *y)
{
    static const uint64_t zero = 0u; /* at an address that any element may have */
    const uint8_t *fill = (value != NULL) ? (const uint8_t *)value : (const uint8_t *)&zero;
    const int32_t last = p->rank - 1;
    const int32_t within = pad_bound_b4(p, 0);
    const int32_t behind = pad_bound_b4(p, p->in[last]);
    const int32_t words = pad_by_words_b4(p, x, y, behind - within);
    uint8_t *to = (uint8_t *)y;
    int32_t at[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int32_t axis;
    do {
        int32_t row = p->offset;
        int32_t outside = x == NULL;
        for (axis = 0; axis < last; ++axis) {
            const int32_t s = tarn_pad_source(p->mode, p->in[axis], at[axis] - p->begin[axis]);
            outside |= s < 0;
            row += s * p->stride[axis];
        }
        if (outside != 0) {
            to = pad_pixels_b4(p, NULL, fill, 0, p->out[last], to);
        } else {
            const uint8_t *from = (const uint8_t *)x + (TARN_BYTES_B4 * (ptrdiff_t)row);
            if (words != 0) {
                const int32_t run = TARN_BYTES_B4 * p->inner * (behind - within);
                to = pad_pixels_b4(p, from, fill, 0, within, to);
                tarn_move_words(to, from + (TARN_BYTES_B4 * ((ptrdiff_t)(within - p->begin[last]) * p->inner)), run);
                to = pad_pixels_b4(p, from, fill, behind, p->out[last], to + run);
            } else {
                to = pad_pixels_b4(p, from, fill, 0, p->out[last], to);
            }
        }
        for (axis = last - 1; axis >= 0; --axis) {
            if (++at[axis] < p->out[axis]) {
                break;
            }
            at[axis] = 0;
        }
    } while (axis >= 0);
}
