/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_flip_s8.h"

#if TARN_USE_ASM && defined(__thumb2__) && !TARN_LESS_CODE
#define INT_FLIP_WORDS_S8 1

/* Pairs of words, which may lie anywhere; n codes fill them. */
static void int_flip_words_s8(const tarn_int_code_s8 *x, tarn_int_code_s8 *y, int32_t n)
{
    const tarn_int_code_s8 *from = x;
    const tarn_int_code_s8 *end = x + n;
    tarn_int_code_s8 *to = y;
    const uint32_t bit = 1u << ((8u * (uint32_t)sizeof(*x)) - 1u);
    const uint32_t bits = bit * (0xFFFFFFFFu / ((2u * bit) - 1u));
    uint32_t a;
    uint32_t b;
    while (from != end) {
        __asm__ volatile("ldr %0,[%2],#4\n\tldr %1,[%2],#4\n\teors %0,%4\n\teors %1,%4\n\tstr %0,[%3],#4\n\tstr %1,[%3],#4"
                         : "=&l"(a), "=&l"(b), "+r"(from), "+r"(to)
                         : "l"(bits)
                         : "memory", "cc");
    }
}

#else
#define INT_FLIP_WORDS_S8 0
#endif

TARN_API void tarn_int_flip_s8(const tarn_int_flip_s8_params *p, const void *x, void *y)
{
    const tarn_int_code_s8 *from = (const tarn_int_code_s8 *)x;
    tarn_int_code_s8 *to = (tarn_int_code_s8 *)y;
    int32_t o;
    for (o = 0; o < p->outer; ++o) {
        int32_t i = 0;
#if INT_FLIP_WORDS_S8
        i = p->inner & ~((8 / (int32_t)sizeof(*from)) - 1);
        int_flip_words_s8(from, to, i);
#endif
        for (; i < p->inner; ++i) {
            to[i] = (tarn_int_code_s8)(from[i] ^ TARN_INT_LOWEST_S8);
        }
        from += p->x_pitch;
        to += p->y_pitch;
    }
}

#undef INT_FLIP_WORDS_S8
