/* SPDX-License-Identifier: MIT-0
 * Codes from sums that share their numbers, for processors with 16-bit products. */
#ifndef TARN_INT_DSP_SUMS_H
#define TARN_INT_DSP_SUMS_H

#include "tarn_int_dsp.h"
#include "tarn_int_mve_asm.h"

TARN_BEGIN_C

#if TARN_INT_DSP_ASM && !TARN_INT_MVE_ASM

#define TARN_INT_SUM_POST(post) (post)

/* The assembly counts on the order. */
typedef struct {
    const int32_t *sums;
    int8_t *y;
    int32_t count;                              /* 1 at least */
    int32_t begin, pre, c, post, parity, tie;   /* tie: negative */
    int32_t m, lo, hi;
} tarn_int_sum_line;

/* Codes of a line and its ties, which lie inside the zone. */
TARN_NAKED static TARN_UNUSED void tarn_int_line_codes(const tarn_int_sum_line *s TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\n\tldm r0,{r0-r11}\n"
            "1:\n\tldr r12,[r0],#4\n\tadd r12,r3\n\tlsl r12,r12,r4\n\tsmmla r12,r12,r9,r5\n\t"
            "asr lr,r12,r6\n\tadd lr,r7\n\tand lr,lr,#1\n\tmla r12,lr,r8,r12\n\tasr r12,r12,r6\n\t"
            "cmp r12,r10\n\tit lt\n\tmovlt r12,r10\n\tcmp r12,r11\n\tit gt\n\tmovgt r12,r11\n\t"
            "strb r12,[r1],#1\n\tsubs r2,#1\n\tbne 1b\n\tpop {r4-r11,pc}");
}

#endif

TARN_END_C
#endif
