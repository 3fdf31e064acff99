/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp_patches.h"

#if TARN_INT_DSP_ASM

/* Four codes in %0; the next four by way of %1. */
#define TARN_INT_DSP_WIDER "sxtb16 %1,%0,ror #8\n\tsxtb16 %0,%0\n\tstrd %0,%1,[%3],#24\n\t"

#endif

TARN_API int16_t *tarn_int_dsp_widen(int16_t *d, const int8_t *x, int32_t n)
{
    const int8_t *end = x + n;
#if TARN_INT_DSP_ASM
    uint32_t even;
    uint32_t odd;
#if !TARN_LESS_CODE
    const int8_t *most = x + (n & ~15);
    while (x != most) {
        __asm__ volatile("ldr %0,[%2]\n\t" TARN_INT_DSP_WIDER "ldr %0,[%2,#4]\n\t" TARN_INT_DSP_WIDER
                         "ldr %0,[%2,#8]\n\t" TARN_INT_DSP_WIDER "ldr %0,[%2,#12]\n\t" TARN_INT_DSP_WIDER "adds %2,#16"
                         : "=&r"(even), "=&r"(odd), "+r"(x), "+r"(d)
                         :
                         : "memory", "cc");
    }
#endif
    while (x != end) {
        __asm__ volatile("ldr %0,[%2],#4\n\t" TARN_INT_DSP_WIDER : "=&r"(even), "=&r"(odd), "+r"(x), "+r"(d) : : "memory");
    }
#else
    do {
        d[0] = x[0];
        d[1] = x[2];
        d[2] = x[1];
        d[3] = x[3];
        d += 12;
        x += 4;
    } while (x != end);
#endif
    return d;
}

TARN_SMALL TARN_API void tarn_int_dsp_near(const tarn_int_dsp_block_state *s)
{
    const int32_t step[3] = {0, s->second, s->third};
    const int32_t channel = s->outputs - (int32_t)(s->y_end - s->y);
    int32_t pixel = 2;
    /* Pixels that are not there lie on the first, which comes last. */
    do {
        int32_t o;
        for (o = 0; o < 2; ++o) {
            s->y[step[pixel] + o] =
                (int8_t)tarn_requant(s->p, s->exceptions, channel + o, s->sums[(3 * o) + pixel], s->q[2 + o], s->q[4 + o]);
        }
    } while (--pixel >= 0);
}
