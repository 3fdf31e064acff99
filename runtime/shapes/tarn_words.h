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

/* One that is read and written at any address, where the processor does that. A struct: only a struct's alignment can be lowered. */
#if defined(__GNUC__) && (defined(__ARM_FEATURE_UNALIGNED) || defined(__x86_64__) || defined(__i386__) || defined(__aarch64__))
#define TARN_WORDS_ANYWHERE 1
typedef struct __attribute__((packed, may_alias)) {
    uint32_t bits;
} tarn_moved_word;
#else
#define TARN_WORDS_ANYWHERE 0
typedef tarn_word tarn_moved_word;
#endif

/* What the lowest two bits of tell whether words may be used: the numbers or-ed together. */
#define TARN_WORD_BITS(address) ((uint32_t)(uintptr_t)(const void *)(address))

/* Whether runs are moved by words when all addresses, pitches and lengths or-ed together are `bits`, and how long a run is. Shorter ones
 * than a few words are not worth the loops. */
TARN_INLINE int32_t tarn_words_fit(uint32_t bits, int32_t run)
{
    const int32_t least = 8;
    return (TARN_WORDS != 0) && (run >= least) && ((TARN_WORDS_ANYWHERE != 0) || ((bits & 3u) == 0u));
}

/* n bytes, from the first to the last. */
TARN_FORCE_INLINE void tarn_move_bytes(uint8_t *to, const uint8_t *from, int32_t n)
{
    int32_t i;
    for (i = 0; i < n; ++i) {
        to[i] = from[i];
    }
}

/* The same of words, four at a time, and of the bytes that are left. Where they overlap, `to` lies before `from`: words are read before
 * they are written. */
TARN_FORCE_INLINE void tarn_move_words(uint8_t *to, const uint8_t *from, int32_t n)
{
    const tarn_moved_word *x = (const tarn_moved_word *)(const void *)from;
    tarn_moved_word *y = (tarn_moved_word *)(void *)to;
    int32_t left = n;
    for (; left >= 16; left -= 16) {
        const tarn_moved_word a = x[0];
        const tarn_moved_word b = x[1];
        const tarn_moved_word c = x[2];
        const tarn_moved_word d = x[3];
        y[0] = a;
        y[1] = b;
        y[2] = c;
        y[3] = d;
        x += 4;
        y += 4;
    }
    for (; left >= 4; left -= 4) {
        *y++ = *x++;
    }
    if (TARN_WORDS_ANYWHERE != 0) {
        tarn_move_bytes((uint8_t *)y, (const uint8_t *)x, left);
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
