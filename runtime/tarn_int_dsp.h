/* SPDX-License-Identifier: MIT-0
 * Pairs of 16-bit products for processors with them (Cortex-M4, M7, M33), in plain C elsewhere. Codes are widened four at a
 * time into two words, (0, 2) and (1, 3), so that codes and weights meet without being reordered. */
#ifndef TARN_INT_DSP_H
#define TARN_INT_DSP_H

#include "tarn.h"

#if TARN_USE_ASM && defined(__ARM_FEATURE_DSP) && defined(__thumb2__)
#define TARN_INT_DSP_ASM 1
#else
#define TARN_INT_DSP_ASM 0
#endif

TARN_BEGIN_C

/* Sums of products for 2 outputs of 3 pixels. w: for every four of k, 4 weights of either output, 16 bytes apart; x to end:
 * [k/4][3 pixels][4] widened codes, k a multiple of 8; sums: in, where the two outputs begin; out, [2 outputs][3 pixels]. */
TARN_API void tarn_int_dsp_dot(const int8_t *w, const int16_t *x, const int16_t *end, int32_t *sums);

/* Four sums of one pixel: x to end: codes, a multiple of 4; w: [k/4][4 outputs][4]; sums are added to. w is aligned to 4 here and above. */
TARN_API void tarn_int_dsp_dense(const int8_t *w, const int8_t *x, const int8_t *end, int32_t *sums);

/* Four channels of one pixel: taps to end point at their codes, `channel` further on; a multiple of 3; w: [taps][4]. */
TARN_API void tarn_int_dsp_depthwise(const int8_t *w, const int8_t *const *taps, const int8_t *const *end,
                                     int32_t channel, int32_t *sums);

/* Widens n codes, a multiple of 4, to d, d + 12, ... four at a time; returns where the next ones go. */
TARN_FORCE_INLINE int16_t *tarn_int_dsp_widen(int16_t *d, const int8_t *x, int32_t n)
{
    const int8_t *end = x + n;
#if TARN_INT_DSP_ASM
    do {
        uint32_t even;
        uint32_t odd;
        __asm__ volatile("ldr %0,[%2],#4\n\t"
                         "sxtb16 %1,%0,ror #8\n\t"
                         "sxtb16 %0,%0\n\t"
                         "strd %0,%1,[%3],#24"
                         : "=&r"(even), "=&r"(odd), "+r"(x), "+r"(d)
                         :
                         : "memory");
    } while (x != end);
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

TARN_END_C
#endif
