/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp_halves.h"

#if TARN_INT_DSP_ASM

/* Sums of halves may wrap, which their difference does not see. */
#define TARN_INT_DSP_HALVES(w, x, a, b)                                                                   \
    "smlad " b "," w "," x "," b "\n\tsxtb16 " w "," w "\n\tsmlad " a "," w "," x "," a "\n\t"

TARN_NAKED TARN_API void tarn_int_dsp_halves(const int8_t *w TARN_UNUSED, const int8_t *x TARN_UNUSED,
                                             const int8_t *end TARN_UNUSED, int32_t *sums TARN_UNUSED)
{
    __asm__("push {r2-r10,lr}\n\t"
            "mov lr,r1\n\tmov r1,r0\n\tmov r12,r2\n\t"
            "movs r2,#0\n\tmovs r3,#0\n\tmovs r4,#0\n\tmovs r5,#0\n"
            "1:\n\t"
            "ldm r1!,{r0,r6,r7,r8}\n\tldr r9,[lr],#4\n\t"
            "sxtb16 r10,r9,ror #8\n\tsxtb16 r9,r9\n\t"
            TARN_INT_DSP_HALVES("r0", "r9", "r2", "r3") TARN_INT_DSP_HALVES("r7", "r9", "r4", "r5")
            TARN_INT_DSP_HALVES("r6", "r10", "r2", "r3") TARN_INT_DSP_HALVES("r8", "r10", "r4", "r5")
            "cmp lr,r12\n\tbne 1b\n\t"
            "ldr r6,[sp,#4]\n\tldrd r7,r8,[r6]\n\tldrd r9,r10,[r6,#8]\n\tsub r3,r3,r2\n\tsub r5,r5,r4\n\t"
            "add r2,r2,r7\n\tadd r3,r8,r3,asr #8\n\tadd r4,r4,r9\n\tadd r5,r10,r5,asr #8\n\tstm r6,{r2-r5}\n\t"
            "pop {r2-r10,pc}");
}

#else

TARN_API void tarn_int_dsp_halves(const int8_t *w, const int8_t *x, const int8_t *end, int32_t *sums)
{
    static const uint8_t of[4] = {0, 2, 1, 3};
    const int8_t *w_at = w;
    const int8_t *x_at = x;
    do {
        int32_t i;
        for (i = 0; i < 8; ++i) {
            const int32_t v = x_at[of[i & 3]];
            const int32_t first = w_at[0];
            const int32_t second = (first < 0) ? (w_at[1] + 1) : w_at[1];
            int32_t *pair = sums + (ptrdiff_t)((i < 4) ? 0 : 2);
            pair[0] += first * v;
            pair[1] += second * v;
            w_at += 2;
        }
        x_at += 4;
    } while (x_at != end);
}

#endif
