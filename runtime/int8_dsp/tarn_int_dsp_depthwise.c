/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp_depthwise.h"

#if TARN_INT_DSP_ASM

#define TARN_INT_DSP_TAP                                                                                  \
    "ldr r7,[r1],#4\n\tldr r9,[r0],#4\n\tldr r7,[r7,r3]\n\t"                                              \
    "sxtb16 r10,r9,ror #8\n\tsxtb16 r9,r9\n\tsxtb16 r8,r7,ror #8\n\tsxtb16 r7,r7\n\t"                     \
    "smlabb r4,r7,r9,r4\n\tsmlatt r6,r7,r9,r6\n\tsmlabb r5,r8,r10,r5\n\tsmlatt r12,r8,r10,r12\n\t"

TARN_NAKED TARN_API void tarn_int_dsp_depthwise(const int8_t *w TARN_UNUSED, const int8_t *const *taps TARN_UNUSED,
                                                const int8_t *const *end TARN_UNUSED, int32_t channel TARN_UNUSED,
                                                int32_t *sums TARN_UNUSED)
{
    __asm__("push {r4-r10,lr}\n\t"
            "ldr lr,[sp,#32]\n\t"
            "ldm lr,{r4,r5,r6,r12}\n"
            "1:\n\t" TARN_INT_DSP_TAP TARN_INT_DSP_TAP TARN_INT_DSP_TAP
            "cmp r1,r2\n\tbne 1b\n\t"
            "stm lr,{r4,r5,r6,r12}\n\t"
            "pop {r4-r10,pc}");
}

#else

TARN_API void tarn_int_dsp_depthwise(const int8_t *w, const int8_t *const *taps, const int8_t *const *end,
                                     int32_t channel, int32_t *sums)
{
    const int8_t *w_at = w;
    const int8_t *const *taps_at = taps;
    do {
        const int8_t *x = *taps_at++ + channel;
        int32_t i;
        for (i = 0; i < 4; ++i) {
            sums[i] += w_at[i] * x[i];
        }
        w_at += 4;
    } while (taps_at != end);
}

#endif
