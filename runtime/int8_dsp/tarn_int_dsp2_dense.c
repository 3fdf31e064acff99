/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp2_dense.h"

#if TARN_INT_DSP_ASM

#define TARN_INT_DSP2_ROW(sum) "smlad " sum ",r7,r9," sum "\n\tsmlad " sum ",r0,r10," sum "\n\t"
#define TARN_INT_DSP2_KEEP(bits) "and r7,r7,#" bits "\n\tand r0,r0,#" bits "\n\t"

TARN_NAKED TARN_API void tarn_int_dsp2_dense(const int8_t *w TARN_UNUSED, const int8_t *x TARN_UNUSED,
                                             const int8_t *end TARN_UNUSED, int32_t *sums TARN_UNUSED)
{
    __asm__("push {r2-r10,lr}\n\t"
            "mov lr,r1\n\tmov r1,r0\n\tmov r12,r2\n\t"
            "movs r2,#0\n\tmovs r3,#0\n\tmovs r4,#0\n\tmovs r5,#0\n"
            "1:\n\t"
            "ldr r0,[r1],#4\n\tldr r9,[lr],#4\n\tsxtb16 r10,r9,ror #8\n\tsxtb16 r9,r9\n\t"
            "sxtb16 r7,r0\n\tsxtb16 r0,r0,ror #8\n\t" TARN_INT_DSP2_ROW("r5")
            TARN_INT_DSP2_KEEP("0x3f003f") TARN_INT_DSP2_ROW("r4") TARN_INT_DSP2_KEEP("0xf000f") TARN_INT_DSP2_ROW("r3")
            TARN_INT_DSP2_KEEP("0x30003") TARN_INT_DSP2_ROW("r2")
            "cmp lr,r12\n\tbne 1b\n\t"
            "ldr r6,[sp,#4]\n\tldrd r7,r8,[r6]\n\tldrd r9,r10,[r6,#8]\n\tsub r5,r5,r4\n\tsub r4,r4,r3\n\tsub r3,r3,r2\n\t"
            "add r2,r2,r7\n\tadd r3,r8,r3,asr #2\n\tadd r4,r9,r4,asr #4\n\tadd r5,r10,r5,asr #6\n\tstm r6,{r2-r5}\n\t"
            "pop {r2-r10,pc}");
}

#else

/* One code of four: whole bytes, and what stands in their low bits. */
#define TARN_INT_DSP2_ONE(k)                                                                              \
    do {                                                                                                  \
        const int32_t v = x_at[k];                                                                        \
        const int32_t all = w_at[k];                                                                      \
        a += (int32_t)((uint32_t)all & 3u) * v;                                                           \
        b += (int32_t)((uint32_t)all & 15u) * v;                                                          \
        c += (int32_t)((uint32_t)all & 63u) * v;                                                          \
        d += all * v;                                                                                     \
    } while (0)

TARN_API void tarn_int_dsp2_dense(const int8_t *w, const int8_t *x, const int8_t *end, int32_t *sums)
{
    const int8_t *w_at = w;
    const int8_t *x_at = x;
    int32_t a = 0;
    int32_t b = 0;
    int32_t c = 0;
    int32_t d = 0;
    do {
        TARN_INT_DSP2_ONE(0);
        TARN_INT_DSP2_ONE(1);
        TARN_INT_DSP2_ONE(2);
        TARN_INT_DSP2_ONE(3);
        w_at += 4;
        x_at += 4;
    } while (x_at != end);
    sums[0] += a;
    sums[1] += (b - a) / 4;
    sums[2] += (c - b) / 16;
    sums[3] += (d - c) / 64;
}

#endif
