/* SPDX-License-Identifier: MIT-0
 * Codes from sums that share their numbers, for processors with 16-bit products. */
#ifndef TARN_INT_DSP_SUMS_H
#define TARN_INT_DSP_SUMS_H

#include "tarn_int_dsp.h"
#include "tarn_int_mve_asm.h"
#include "tarn_requant.h"

TARN_BEGIN_C

#if TARN_INT_DSP_ASM && !TARN_INT_MVE_ASM

/* Codes of a line and its ties, which lie inside the zone; q: {begin, m, c}. Counts on the order of the form's members. `count` is 1 at
 * least. The form's own bounds are looked up where they are not those of a code: else r0 is NULL in the loop. */
TARN_NAKED static TARN_UNUSED void tarn_int_line_codes(const tarn_requant_params *p TARN_UNUSED, const int32_t *q TARN_UNUSED,
                                                       const int32_t *sums TARN_UNUSED, int32_t count TARN_UNUSED, int8_t *y TARN_UNUSED)
{
    __asm__("push {r4-r12,lr}\n\tldm r1!,{r4,r5,r6}\n\tldrd r9,r10,[r0]\n\tldr r7,[r0,#8]\n\tsubs r6,r6,r7\n\t"
            "ldrd r11,r12,[r0,#16]\n\tldr r1,[sp,#40]\n\t"
            "ldrd r7,r8,[r0,#24]\n\tcmn r7,#128\n\tit eq\n\tcmpeq r8,#127\n\tit eq\n\tmoveq r0,#0\n"
            "1:\n\tldm r2!,{r7}\n\tadd r7,r4\n\tlsl r7,r7,r9\n\tsmmla r7,r7,r5,r6\n\t"
            "asr r8,r7,r10\n\tadd r8,r12\n\tand r8,r8,#1\n\tmls r7,r8,r11,r7\n\tasr r7,r7,r10\n\tssat r7,#8,r7\n\tcbnz r0,3f\n"
            "2:\n\tstrb r7,[r1],#1\n\tsubs r3,#1\n\tbne 1b\n\tpop {r4-r12,pc}\n"
            "3:\n\tldrd r8,lr,[r0,#24]\n\tcmp r7,r8\n\tit lt\n\tmovlt r7,r8\n\tcmp r7,lr\n\tit gt\n\tmovgt r7,lr\n\tb 2b");
}

#endif

TARN_END_C
#endif
