/* SPDX-License-Identifier: MIT-0 */
#include "tarn_wide_dots.h"
#include "tarn_int_dots_loop.h"

#if TARN_USE_ASM && defined(__ARM_FEATURE_DSP) && defined(__thumb2__)

/* Weights 0 and 2, 1 and 3 of a word meet the codes of the same numbers. */
#define TARN_WIDE_DOTS_OUTPUT(sum)                                                                        \
    __asm__("ldr %1,[%3],#4\n\t"                                                                          \
            "sxtb16 %2,%1,ror #8\n\tsxtb16 %1,%1\n\t"                                                     \
            "smlad %0,%1,%4,%0\n\tsmlad %0,%2,%5,%0"                                                      \
            : "+r"(sum), "=&r"(even), "=&r"(odd), "+r"(w)                                                 \
            : "r"(x02), "r"(x13)                                                                          \
            : "memory")

#define TARN_WIDE_DOTS_STEP                                                                               \
    uint32_t even;                                                                                        \
    uint32_t odd;                                                                                         \
    uint32_t x02;                                                                                         \
    uint32_t x13;                                                                                         \
    __asm__("ldr %1,[%2],#4\n\tldr %3,[%2],#4\n\tpkhbt %0,%1,%3,lsl #16\n\tpkhtb %1,%3,%1,asr #16"         \
            : "=&r"(x02), "=&r"(x13), "+r"(x), "=&r"(even)                                                \
            :                                                                                             \
            : "memory");                                                                                  \
    TARN_WIDE_DOTS_OUTPUT(a);                                                                             \
    TARN_WIDE_DOTS_OUTPUT(b);                                                                             \
    TARN_WIDE_DOTS_OUTPUT(c);                                                                             \
    TARN_WIDE_DOTS_OUTPUT(d)

#else
#define TARN_WIDE_DOTS_STEP TARN_INT_DOTS_PLAIN
#endif

TARN_NOINLINE TARN_API void tarn_wide_dots(int32_t *sums, const int8_t *w, const int16_t *x, int32_t n)
{
    const int16_t *end = x + n;
    TARN_INT_DOTS_LOOP(TARN_WIDE_DOTS_STEP);
}
