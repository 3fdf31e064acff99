/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp_dense.h"

#if TARN_INT_DSP_ASM

#define TARN_INT_DSP_ROW(w, sum)                                                                          \
    "sxtb16 r11," w "\n\tsxtb16 " w "," w ",ror #8\n\t"                                                   \
    "smlad " sum ",r11,r9," sum "\n\tsmlad " sum "," w ",r10," sum "\n\t"

TARN_NAKED TARN_API void tarn_int_dsp_dense(const int8_t *w TARN_UNUSED, const int8_t *x TARN_UNUSED,
                                            const int8_t *end TARN_UNUSED, int32_t *sums TARN_UNUSED)
{
    __asm__("push {r2-r11,lr}\n\t"
            "mov lr,r1\n\tmov r1,r0\n\tmov r12,r2\n\t"
            "ldm r3,{r2-r5}\n"
            "1:\n\t"
            "ldm r1!,{r0,r6,r7,r8}\n\tldr r9,[lr],#4\n\t"
            "sxtb16 r10,r9,ror #8\n\tsxtb16 r9,r9\n\t" TARN_INT_DSP_ROW("r0", "r2") TARN_INT_DSP_ROW("r6", "r3")
            TARN_INT_DSP_ROW("r7", "r4") TARN_INT_DSP_ROW("r8", "r5")
            "cmp lr,r12\n\tbne 1b\n\t"
            "ldr r6,[sp,#4]\n\tstm r6,{r2-r5}\n\t"
            "pop {r2-r11,pc}");
}

#else

TARN_API void tarn_int_dsp_dense(const int8_t *w, const int8_t *x, const int8_t *end, int32_t *sums)
{
    const int8_t *w_at = w;
    const int8_t *x_at = x;
    do {
        int32_t i;
        for (i = 0; i < 4; ++i) {
            sums[i] += (w_at[0] * x_at[0]) + (w_at[1] * x_at[1]) + (w_at[2] * x_at[2]) + (w_at[3] * x_at[3]);
            w_at += 4;
        }
        x_at += 4;
    } while (x_at != end);
}

#endif
