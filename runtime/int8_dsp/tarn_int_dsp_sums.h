/* SPDX-License-Identifier: MIT-0
 * Sums of codes, four channels at a time, and codes from sums that share their numbers, for processors with 16-bit products. */
#ifndef TARN_INT_DSP_SUMS_H
#define TARN_INT_DSP_SUMS_H

#include "tarn_int_dsp.h"
#include "tarn_int_mve_asm.h"

TARN_BEGIN_C

#if TARN_INT_DSP_ASM && !TARN_INT_MVE_ASM

#define TARN_INT_DSP_SUMS_MOST 255 /* codes in a sum: it has 16 bits */

/* Adds four codes to four sums, two to a word: those of channels 0 and 2, and of 1 and 3. */
#define TARN_INT_DSP_ADD(codes, even, odd) \
    __asm__("sxtab16 %0,%0,%2\n\tsxtab16 %1,%1,%2,ror #8" : "+r"(even), "+r"(odd) : "r"(codes))

TARN_FORCE_INLINE uint32_t tarn_int_dsp_codes(const int8_t *from)
{
    uint32_t word;
    __asm__ volatile("ldr %0,[%1]" : "=r"(word) : "r"(from) : "memory");
    return word;
}

/* Adds two words of sums to those of the channels. */
TARN_FORCE_INLINE void tarn_int_dsp_apart(uint32_t even, uint32_t odd, int32_t *sums)
{
    sums[0] += (int16_t)even;
    sums[1] += (int16_t)odd;
    sums[2] += (int32_t)even >> 16;
    sums[3] += (int32_t)odd >> 16;
}

#define TARN_INT_SUM_POST(post) (post)

/* The assembly counts on the order. */
typedef struct {
    const int32_t *sums;
    int8_t *y;
    int32_t count;                              /* 1 at least */
    int32_t begin, pre, c, post, parity, tie;   /* tie: negative */
    int32_t m, lo, hi;
} tarn_int_sum_line;

/* What the line and its tie make of the sum in `sum`, before the clamp. */
#define TARN_INT_DSP_CODE(sum, odd)                                                                       \
    "add " sum ",r3\n\tlsl " sum "," sum ",r4\n\tsmmla " sum "," sum ",r9,r5\n\tasr " odd "," sum ",r6\n\tadd " odd ",r7\n\t" \
    "and " odd "," odd ",#1\n\tmla " sum "," odd ",r8," sum "\n\tasr " sum "," sum ",r6\n\t"

/* Codes of a line and its ties, which lie inside the zone. Two at a time where all codes may occur. */
TARN_NAKED static TARN_UNUSED void tarn_int_line_codes(const tarn_int_sum_line *s TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\n\tldm r0,{r0-r11}\n\tcmn r10,#128\n\tit eq\n\tcmpeq r11,#127\n\tbne 3f\n\tsubs r2,#2\n\tblt 2f\n"
            "1:\n\tldm r0!,{r10,r12}\n\t" TARN_INT_DSP_CODE("r10", "r11") TARN_INT_DSP_CODE("r12", "lr")
            "ssat r10,#8,r10\n\tssat r12,#8,r12\n\tstrb r10,[r1],#1\n\tstrb r12,[r1],#1\n\tsubs r2,#2\n\tbge 1b\n"
            "2:\n\tadds r2,#2\n\tbeq 4f\n\tmvn r10,#127\n\tmovs r11,#127\n"
            "3:\n\tldr r12,[r0],#4\n\t" TARN_INT_DSP_CODE("r12", "lr")
            "cmp r12,r10\n\tit lt\n\tmovlt r12,r10\n\tcmp r12,r11\n\tit gt\n\tmovgt r12,r11\n\t"
            "strb r12,[r1],#1\n\tsubs r2,#1\n\tbne 3b\n"
            "4:\n\tpop {r4-r11,pc}");
}

#endif

TARN_END_C
#endif
