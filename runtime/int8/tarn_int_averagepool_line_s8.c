/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_averagepool_line_s8.h"
#include "tarn_int_codes_s8.h"
#include "tarn_int_dsp.h"
#include "tarn_int_mve_sums.h"

/* The columns [first, end) of the window at `at` that lie inside `size`. */
static void int_averagepool_clip_s8(int32_t at, int32_t n, int32_t dilation, int32_t size, int32_t *first, int32_t *end)
{
    int32_t a = 0;
    int32_t b = n;
    while ((a < b) && ((at + (a * dilation)) < 0)) {
        ++a;
    }
    while ((b > a) && ((at + ((b - 1) * dilation)) >= size)) {
        --b;
    }
    *first = a;
    *end = b;
}

#if TARN_INT_DSP_ASM && !TARN_INT_MVE_ASM && (TARN_INT_LOWEST_S8 == -128)

#define TARN_INT_AVERAGEPOOL_MOST 255 /* codes under a window: their sum has 16 bits */

/* Adds four codes to four sums, two to a word: those of channels 0 and 2, and of 1 and 3. */
#define TARN_INT_AVERAGEPOOL_ADD(codes, even, odd) \
    __asm__("sxtab16 %0,%0,%2\n\tsxtab16 %1,%1,%2,ror #8" : "+r"(even), "+r"(odd) : "r"(codes))

TARN_FORCE_INLINE uint32_t int_averagepool_word_s8(const int8_t *from)
{
    uint32_t word;
    __asm__ volatile("ldr %0,[%1]" : "=r"(word) : "r"(from) : "memory");
    return word;
}

TARN_FORCE_INLINE void int_averagepool_apart_s8(uint32_t even, uint32_t odd, int32_t begin, int32_t *sums)
{
    sums[0] = begin + (int16_t)even;
    sums[1] = begin + (int16_t)odd;
    sums[2] = begin + ((int32_t)even >> 16);
    sums[3] = begin + ((int32_t)odd >> 16);
}

/* Sums of channels, eight at a time and four; returns how many. */
TARN_FORCE_INLINE int32_t int_averagepool_pairs_s8(const int8_t *const *x, int32_t rows, ptrdiff_t offset, int32_t taps, ptrdiff_t pitch,
                                                   int32_t begin, int32_t count, int32_t *sums)
{
    const int8_t *const *end = x + rows;
    const int8_t *const *row;
    int32_t c;
    int32_t tap;
    for (c = 0; c <= (count - 8); c += 8) {
        uint32_t even = 0;
        uint32_t odd = 0;
        uint32_t more_even = 0;
        uint32_t more_odd = 0;
        for (row = x; row != end; ++row) {
            const int8_t *from = *row + offset + c;
            for (tap = (*row != NULL) ? taps : 0; tap > 0; --tap) {
                const uint32_t codes = int_averagepool_word_s8(from);
                const uint32_t more = int_averagepool_word_s8(from + 4);
                TARN_INT_AVERAGEPOOL_ADD(codes, even, odd);
                TARN_INT_AVERAGEPOOL_ADD(more, more_even, more_odd);
                from += pitch;
            }
        }
        int_averagepool_apart_s8(even, odd, begin, sums + c);
        int_averagepool_apart_s8(more_even, more_odd, begin, sums + c + 4);
    }
    if (c <= (count - 4)) {
        uint32_t even = 0;
        uint32_t odd = 0;
        for (row = x; row != end; ++row) {
            const int8_t *from = *row + offset + c;
            for (tap = (*row != NULL) ? taps : 0; tap > 0; --tap) {
                const uint32_t codes = int_averagepool_word_s8(from);
                TARN_INT_AVERAGEPOOL_ADD(codes, even, odd);
                from += pitch;
            }
        }
        int_averagepool_apart_s8(even, odd, begin, sums + c);
        c += 4;
    }
    return c;
}

#endif

/* The sums of `count` channels over the lines of a window; `offset`: the first in each line. */
static void int_averagepool_sums_s8(const tarn_int_averagepool_s8_params *p, const tarn_int_code_s8 *const *x, ptrdiff_t offset,
                                    int32_t taps, int32_t begin, int32_t count, int32_t *sums)
{
    const ptrdiff_t pitch = (ptrdiff_t)p->dilation[1] * p->x_pitch;
    const int32_t left = count % 4;
    const int32_t fours = count - left;
    int32_t row;
    int32_t c;
#if TARN_INT_MVE_ASM && (TARN_INT_LOWEST_S8 == -128)
    if ((p->rows * p->taps) <= TARN_INT_MVE_SUMS_MOST) {
        tarn_int_mve_window w;
        w.rows = x;
        w.count = p->rows;
        w.offset = offset;
        w.taps = taps;
        w.pitch = pitch;
        w.begin = begin;
        w.channels = count;
        w.sums = sums;
        tarn_int_mve_window_sums(&w);
        return;
    }
#endif
    c = 0;
#if TARN_INT_DSP_ASM && !TARN_INT_MVE_ASM && (TARN_INT_LOWEST_S8 == -128)
    if ((p->rows * p->taps) <= TARN_INT_AVERAGEPOOL_MOST) {
        c = int_averagepool_pairs_s8(x, p->rows, offset, taps, pitch, begin, count, sums);
    }
#endif
    /* `count` again, not `fours`: gcc 12 takes the latter for more than the array holds. */
    for (; c <= (count - 4); c += 4) {
        int32_t four[4];
        four[0] = begin;
        four[1] = begin;
        four[2] = begin;
        four[3] = begin;
        for (row = 0; row < p->rows; ++row) {
            if (x[row] != NULL) {
                tarn_int_add_four_s8(four, x[row] + offset + c, taps, pitch);
            }
        }
        sums[c] = four[0];
        sums[c + 1] = four[1];
        sums[c + 2] = four[2];
        sums[c + 3] = four[3];
    }
    /* Fewer than four: a bound that gcc 12 needs when it has unrolled the loop over the program (-flto). */
    for (c = 0; c < left; ++c) {
        int32_t sum = begin;
        for (row = 0; row < p->rows; ++row) {
            if (x[row] != NULL) {
                sum = tarn_int_add_one_s8(sum, x[row] + offset + fours + c, taps, pitch);
            }
        }
        sums[fours + c] = sum;
    }
}

TARN_API void tarn_int_averagepool_line_s8(const tarn_int_averagepool_s8_params *p, const tarn_int_code_s8 *const *x,
                                           const int32_t *q, const int32_t *exceptions, tarn_int_code_s8 *y, int32_t first,
                                           int32_t end)
{
    tarn_int_code_s8 *y_at = y;
    int32_t column = (first * p->stride[1]) - p->pad[1];
    int32_t inside = 0;
    int32_t pixel;
    int32_t row;
    int32_t sums[TARN_INT_RUN_S8];
    for (row = 0; row < p->rows; ++row) {
        inside += x[row] != NULL;
    }
    y_at += (ptrdiff_t)first * p->y_pitch;
    for (pixel = first; pixel < end; ++pixel) {
        int32_t tap0;
        int32_t tap1;
        int32_t slot;
        int32_t outside;
        int32_t c;
        ptrdiff_t offset;
        int_averagepool_clip_s8(column, p->taps, p->dilation[1], p->in_pixels, &tap0, &tap1);
        slot = inside * (tap1 - tap0);
        outside = (p->by_count != 0) ? 0 : (((p->rows * p->taps) - slot) * p->zero);
        slot = ((p->by_count != 0) && (slot > 0)) ? (slot - 1) : 0;
        offset = (ptrdiff_t)(column + (tap0 * p->dilation[1])) * p->x_pitch;
        for (c = 0; c < p->channels; c += TARN_INT_RUN_S8) {
            const int32_t left = p->channels - c;
            const int32_t count = (left < TARN_INT_RUN_S8) ? left : TARN_INT_RUN_S8;
            int_averagepool_sums_s8(p, x, offset + c, tap1 - tap0, outside, count, sums);
            tarn_int_codes_s8(&p->requant, q, exceptions, slot, sums, count, y_at + c);
        }
        y_at += p->y_pitch;
        column += p->stride[1];
    }
}
