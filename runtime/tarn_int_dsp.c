/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp.h"

#if TARN_INT_DSP_ASM

/* The loops need nearly every register, which only a naked function gets from every compiler. */
#define TARN_INT_DSP_WEIGHTS                                                                              \
    "ldrd r6,r8,[r0],#16\n\t"                                                                             \
    "sxtb16 r7,r6,ror #8\n\tsxtb16 r6,r6\n\tsxtb16 r11,r8,ror #8\n\tsxtb16 r8,r8\n\t"
#define TARN_INT_DSP_PIXEL(a, b, at)                                                                      \
    "ldrd r9,r10,[r1,#" at "]\n\t"                                                                        \
    "smlad " a ",r6,r9," a "\n\tsmlad " a ",r7,r10," a "\n\t"                                             \
    "smlad " b ",r8,r9," b "\n\tsmlad " b ",r11,r10," b "\n\t"

__attribute__((naked)) TARN_API void tarn_int_dsp_dot(const int8_t *w TARN_UNUSED, const int16_t *x TARN_UNUSED,
                                                      const int16_t *end TARN_UNUSED, int32_t *sums TARN_UNUSED)
{
    __asm__("push {r2-r11,lr}\n\t"
            "ldrd r2,r5,[r3]\n\t"
            "mov r3,r2\n\tmov r4,r2\n\tmov r12,r5\n\tmov lr,r5\n"
            "1:\n\t" TARN_INT_DSP_WEIGHTS TARN_INT_DSP_PIXEL("r2", "r5", "0") TARN_INT_DSP_PIXEL("r3", "r12", "8")
            TARN_INT_DSP_PIXEL("r4", "lr", "16") TARN_INT_DSP_WEIGHTS TARN_INT_DSP_PIXEL("r2", "r5", "24")
            TARN_INT_DSP_PIXEL("r3", "r12", "32") TARN_INT_DSP_PIXEL("r4", "lr", "40")
            "ldr r6,[sp]\n\tadds r1,#48\n\tcmp r1,r6\n\tbne 1b\n\t"
            "ldr r6,[sp,#4]\n\tstm r6,{r2,r3,r4,r5,r12,lr}\n\t"
            "pop {r2-r11,pc}");
}

#define TARN_INT_DSP_ROW(w, sum)                                                                          \
    "sxtb16 r11," w "\n\tsxtb16 " w "," w ",ror #8\n\t"                                                   \
    "smlad " sum ",r11,r9," sum "\n\tsmlad " sum "," w ",r10," sum "\n\t"

__attribute__((naked)) TARN_API void tarn_int_dsp_dense(const int8_t *w TARN_UNUSED, const int8_t *x TARN_UNUSED,
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

#define TARN_INT_DSP_TAP                                                                                  \
    "ldr r7,[r1],#4\n\tldr r9,[r0],#4\n\tldr r7,[r7,r3]\n\t"                                              \
    "sxtb16 r10,r9,ror #8\n\tsxtb16 r9,r9\n\tsxtb16 r8,r7,ror #8\n\tsxtb16 r7,r7\n\t"                     \
    "smlabb r4,r7,r9,r4\n\tsmlatt r6,r7,r9,r6\n\tsmlabb r5,r8,r10,r5\n\tsmlatt r12,r8,r10,r12\n\t"

__attribute__((naked)) TARN_API void tarn_int_dsp_depthwise(const int8_t *w TARN_UNUSED,
                                                            const int8_t *const *taps TARN_UNUSED,
                                                            const int8_t *const *end TARN_UNUSED,
                                                            int32_t channel TARN_UNUSED, int32_t *sums TARN_UNUSED)
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

TARN_API void tarn_int_dsp_dot(const int8_t *w, const int16_t *x, const int16_t *end, int32_t *sums)
{
    int32_t a[6];
    int32_t i;
    for (i = 0; i < 3; ++i) {
        a[i] = sums[0];
        a[3 + i] = sums[1];
    }
    do {
        for (i = 0; i < 3; ++i) {
            a[i] += w[0] * x[0] + w[2] * x[1] + w[1] * x[2] + w[3] * x[3];
            a[3 + i] += w[4] * x[0] + w[6] * x[1] + w[5] * x[2] + w[7] * x[3];
            x += 4;
        }
        w += 16;
    } while (x != end);
    for (i = 0; i < 6; ++i) {
        sums[i] = a[i];
    }
}

TARN_API void tarn_int_dsp_dense(const int8_t *w, const int8_t *x, const int8_t *end, int32_t *sums)
{
    do {
        int32_t i;
        for (i = 0; i < 4; ++i) {
            sums[i] += w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] * x[3];
            w += 4;
        }
        x += 4;
    } while (x != end);
}

TARN_API void tarn_int_dsp_depthwise(const int8_t *w, const int8_t *const *taps, const int8_t *const *end,
                                     int32_t channel, int32_t *sums)
{
    do {
        const int8_t *x = *taps++ + channel;
        int32_t i;
        for (i = 0; i < 4; ++i) {
            sums[i] += w[i] * x[i];
        }
        w += 4;
    } while (taps != end);
}

#endif
