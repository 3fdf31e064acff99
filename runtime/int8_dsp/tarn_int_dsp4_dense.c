/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp4_dense.h"

#if TARN_INT_DSP_ASM

#define TARN_INT_DSP4_ROWS(w, a, b)                                                                       \
    "sxtb16 r7," w "\n\tsxtb16 " w "," w ",ror #8\n\t"                                                    \
    "smlad " b ",r7,r9," b "\n\tsmlad " b "," w ",r10," b "\n\t"                                          \
    "and r7,r7,#0x000f000f\n\tand " w "," w ",#0x000f000f\n\t"                                            \
    "smlad " a ",r7,r9," a "\n\tsmlad " a "," w ",r10," a "\n\t"

TARN_NAKED TARN_API void tarn_int_dsp4_dense(const int8_t *w TARN_UNUSED, const int8_t *x TARN_UNUSED,
                                             const int8_t *end TARN_UNUSED, int32_t *sums TARN_UNUSED)
{
    __asm__("push {r2-r10,lr}\n\t"
            "mov lr,r1\n\tmov r1,r0\n\tmov r12,r2\n\t"
            "movs r2,#0\n\tmovs r3,#0\n\tmovs r4,#0\n\tmovs r5,#0\n"
            "1:\n\t"
            "ldrd r0,r6,[r1],#8\n\tldr r9,[lr],#4\n\t"
            "sxtb16 r10,r9,ror #8\n\tsxtb16 r9,r9\n\t" TARN_INT_DSP4_ROWS("r0", "r2", "r3") TARN_INT_DSP4_ROWS("r6", "r4", "r5")
            "cmp lr,r12\n\tbne 1b\n\t"
            /* The difference of whole bytes and low bits is 16 times the second output's sum. */
            "ldr r6,[sp,#4]\n\tldrd r7,r8,[r6]\n\tldrd r9,r10,[r6,#8]\n\tsub r3,r3,r2\n\tsub r5,r5,r4\n\t"
            "add r2,r2,r7\n\tadd r3,r8,r3,asr #4\n\tadd r4,r4,r9\n\tadd r5,r10,r5,asr #4\n\tstm r6,{r2-r5}\n\t"
            "pop {r2-r10,pc}");
}

#else

/* One code of four: whole bytes, and what stands in their low bits. */
#define TARN_INT_DSP4_ONE(k)                                                                              \
    do {                                                                                                  \
        const int32_t v = x_at[k];                                                                        \
        const int32_t first = w_at[k];                                                                    \
        const int32_t second = w_at[4 + (k)];                                                             \
        a += (int32_t)((uint32_t)first & 15u) * v;                                                        \
        b += first * v;                                                                                   \
        c += (int32_t)((uint32_t)second & 15u) * v;                                                       \
        d += second * v;                                                                                  \
    } while (0)

TARN_API void tarn_int_dsp4_dense(const int8_t *w, const int8_t *x, const int8_t *end, int32_t *sums)
{
    const int8_t *w_at = w;
    const int8_t *x_at = x;
    int32_t a = 0;
    int32_t b = 0;
    int32_t c = 0;
    int32_t d = 0;
    do {
        TARN_INT_DSP4_ONE(0);
        TARN_INT_DSP4_ONE(1);
        TARN_INT_DSP4_ONE(2);
        TARN_INT_DSP4_ONE(3);
        w_at += 8;
        x_at += 4;
    } while (x_at != end);
    sums[0] += a;
    sums[1] += (b - a) / 16;
    sums[2] += c;
    sums[3] += (d - c) / 16;
}

#endif
