/* SPDX-License-Identifier: MIT-0
 * Adds a line of pixels to sums that each channel has. */
#ifndef TARN_INT_ADD_LINE_S8_H
#define TARN_INT_ADD_LINE_S8_H

#include "tarn_int_codes_s8.h"
#include "tarn_int_dsp.h"
#include "tarn_int_mve_asm.h"

TARN_BEGIN_C

#if TARN_INT_MVE_ASM && (TARN_INT_LOWEST_S8 == -128)

/* Eight channels at a time, then up to four. `pitch`: codes from a pixel to the next. */
TARN_NAKED static void tarn_int_add_line_s8(int32_t *sums TARN_UNUSED, const int8_t *x TARN_UNUSED, int32_t channels TARN_UNUSED,
                                            int32_t pixels TARN_UNUSED, int32_t pitch TARN_UNUSED)
{
    __asm__("push {r4,r5,r6,lr}\n\tldr r4,[sp,#16]\n\tsubs r2,#8\n\tblt 4f\n"
            "1:\n\tmov r5,r1\n\tvldrw.32 q0,[r0]\n\tvldrw.32 q1,[r0,#16]\n\twls lr,r3,3f\n"
            "2:\n\tvldrb.s32 q2,[r5]\n\tvldrb.s32 q3,[r5,#4]\n\tadd r5,r4\n\tvadd.i32 q0,q0,q2\n\tvadd.i32 q1,q1,q3\n\tle lr,2b\n"
            "3:\n\tvstrw.32 q0,[r0],#16\n\tvstrw.32 q1,[r0],#16\n\tadds r1,#8\n\tsubs r2,#8\n\tbge 1b\n"
            "4:\n\tadds r2,#8\n\tbeq 8f\n"
            "5:\n\tvctp.32 r2\n\tmov r5,r1\n\tvpst\n\tvldrwt.32 q0,[r0]\n\twls lr,r3,7f\n"
            "6:\n\tvpst\n\tvldrbt.s32 q2,[r5]\n\tadd r5,r4\n\tvadd.i32 q0,q0,q2\n\tle lr,6b\n"
            "7:\n\tvpst\n\tvstrwt.32 q0,[r0],#16\n\tadds r1,#4\n\tsubs r2,#4\n\tbgt 5b\n"
            "8:\n\tpop {r4,r5,r6,pc}");
}

#else

TARN_INLINE void tarn_int_add_line_s8(int32_t *sums, const tarn_int_code_s8 *x, int32_t channels, int32_t pixels, int32_t pitch)
{
    const int32_t fours = channels - (channels % 4);
    int32_t c = 0;
#if TARN_INT_DSP_ASM && (TARN_INT_LOWEST_S8 == -128)
    /* Two sums to a word, which hold 255 codes. */
    for (; (pixels < 256) && (c < fours); c += 4) {
        const int8_t *from = x + c;
        uint32_t even = 0;
        uint32_t odd = 0;
        int32_t pixel;
        for (pixel = pixels; pixel > 0; --pixel) {
            uint32_t codes;
            __asm__ volatile("ldr %2,[%3]\n\tsxtab16 %0,%0,%2\n\tsxtab16 %1,%1,%2,ror #8"
                             : "+r"(even), "+r"(odd), "=&r"(codes)
                             : "r"(from)
                             : "memory");
            from += pitch;
        }
        sums[c] += (int16_t)even;
        sums[c + 1] += (int16_t)odd;
        sums[c + 2] += (int32_t)even >> 16;
        sums[c + 3] += (int32_t)odd >> 16;
    }
#endif
    for (; c < fours; c += 4) {
        tarn_int_add_four_s8(sums + c, x + c, pixels, pitch);
    }
    for (; c < channels; ++c) {
        sums[c] = tarn_int_add_one_s8(sums[c], x + c, pixels, pitch);
    }
}

#endif

TARN_END_C
#endif
