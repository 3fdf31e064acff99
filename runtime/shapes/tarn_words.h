/* SPDX-License-Identifier: MIT-0
 * Bytes that are moved a word at a time where addresses and lengths allow. */
#ifndef TARN_WORDS_H
#define TARN_WORDS_H

#include "tarn.h"

/* Only where the compiler can be told that words may alias what lies there. */
#if defined(__GNUC__)
#define TARN_WORDS 1
typedef uint32_t __attribute__((may_alias)) tarn_word;
#else
#define TARN_WORDS 0
typedef uint32_t tarn_word;
#endif

/* What the lowest two bits of tell whether words may be used: the numbers or-ed together. */
#define TARN_WORD_BITS(address) ((uint32_t)(uintptr_t)(const void *)(address))

/* n bytes, from the first to the last. */
TARN_FORCE_INLINE void tarn_move_bytes(uint8_t *to, const uint8_t *from, int32_t n)
{
    int32_t i;
    for (i = 0; i < n; ++i) {
        to[i] = from[i];
    }
}

/* The same of whole words, four at a time. */
TARN_FORCE_INLINE void tarn_move_words(uint8_t *to, const uint8_t *from, int32_t n)
{
    const tarn_word *x = (const tarn_word *)(const void *)from;
    tarn_word *y = (tarn_word *)(void *)to;
    int32_t left = n;
    for (; left >= 16; left -= 16) {
        const tarn_word a = x[0];
        const tarn_word b = x[1];
        const tarn_word c = x[2];
        const tarn_word d = x[3];
        y[0] = a;
        y[1] = b;
        y[2] = c;
        y[3] = d;
        x += 4;
        y += 4;
    }
    for (; left > 0; left -= 4) {
        *y++ = *x++;
    }
}

TARN_FORCE_INLINE void tarn_swap_bytes(uint8_t *a, uint8_t *b, int32_t n)
{
    int32_t i;
    for (i = 0; i < n; ++i) {
        const uint8_t held = a[i];
        a[i] = b[i];
        b[i] = held;
    }
}

TARN_FORCE_INLINE void tarn_swap_words(uint8_t *a, uint8_t *b, int32_t n)
{
    tarn_word *x = (tarn_word *)(void *)a;
    tarn_word *y = (tarn_word *)(void *)b;
    int32_t left;
    for (left = n; left > 0; left -= 4) {
        const tarn_word held = *x;
        *x++ = *y;
        *y++ = held;
    }
}

#endif
