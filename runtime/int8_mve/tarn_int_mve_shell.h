/* SPDX-License-Identifier: MIT-0
 * What the assembly of blocks over weights of 8, 4 and 2 bits has in common: all but the loops of products. */
#ifndef TARN_INT_MVE_SHELL_H
#define TARN_INT_MVE_SHELL_H

#include "tarn_int_mve.h"

#if TARN_INT_MVE_ASM

/* The loops need nearly every register, which only a naked function gets from every compiler. r12: the state, r11: weights, r9:
 * constants, r7: outputs. */
#define TARN_INT_MVE_ENTER \
    "push {r3-r11,lr}\n\tvpush {d8-d15}\n\tmov r12,r0\n\tmov r11,r1\n\tmov r9,r2\n\tldr r7,[r0,#16]\n"
#define TARN_INT_MVE_LEAVE "vpop {d8-d15}\n\tpop {r3-r11,pc}"

/* For the forms: m in q0, c in q1, pre in r0, the negative post in r2, `closer` in r4. */
#define TARN_INT_MVE_CONSTANTS                                                                            \
    "vldrw.32 q0,[r9,#16]\n\tvldrw.32 q1,[r9,#32]\n\tldr r4,[r12,#40]\n\tldrd r0,r2,[r12,#32]\n\t"
/* From sums to the form's values. */
#define TARN_INT_MVE_FORM(q) "vshl.s32 " q ",r0\n\tvmulh.s32 " q "," q ",q0\n\tvadd.i32 " q "," q ",q1\n\t"
#define TARN_INT_MVE_FORMS TARN_INT_MVE_FORM("q5") TARN_INT_MVE_FORM("q6") TARN_INT_MVE_FORM("q7")
/* And on to codes. */
#define TARN_INT_MVE_SHIFT(q) "vshl.s32 " q ",r2\n\tvqmovnb.s32 " q "," q "\n\tvqmovnb.s16 " q "," q "\n\t"
/* On to the next four outputs, if there are any. */
#define TARN_INT_MVE_NEXT "adds r9,#48\n\tldr r0,[r12,#20]\n\tcmp r7,r0\n\tbne.w 1b\n\t" TARN_INT_MVE_LEAVE "\n"
/* Where there are zones: a value in one of them, and these outputs once more, and this time their sums are kept. Less code keeps them
 * always. */
#if !TARN_LESS_CODE
#define TARN_INT_MVE_AGAIN "ldr r1,[r12,#44]\n\tsub r11,r1\n\tmovs r1,#1\n\tstr r1,[r12,#40]\n\tb.w 1b\n"
#define TARN_INT_MVE_THREE_IN_ZONES \
    "lsls r1,r4,#31\n\tbmi 7f\n\t" TARN_INT_MVE_FORMS \
    "vdup.32 q0,r4\n\tvand q1,q5,q0\n\tvand q2,q6,q0\n\tvand q3,q7,q0\n\t" \
    "vminv.u32 r4,q1\n\tvminv.u32 r4,q2\n\tvminv.u32 r4,q3\n\tcmp r4,#0\n\tbne 3b\n\t" TARN_INT_MVE_AGAIN
#define TARN_INT_MVE_TWO_IN_ZONES \
    "lsls r1,r4,#31\n\tbmi 7f\n\t" TARN_INT_MVE_FORM("q5") TARN_INT_MVE_FORM("q6") \
    "vdup.32 q0,r4\n\tvand q1,q5,q0\n\tvand q2,q6,q0\n\t" \
    "vminv.u32 r4,q1\n\tvminv.u32 r4,q2\n\tcmp r4,#0\n\tbne 3b\n\t" TARN_INT_MVE_AGAIN
#define TARN_INT_MVE_ONE_IN_ZONES \
    "lsls r1,r4,#31\n\tbmi 7f\n\t" TARN_INT_MVE_FORM("q5") \
    "vdup.32 q0,r4\n\tvand q1,q5,q0\n\tvminv.u32 r4,q1\n\tcmp r4,#0\n\tbne 3b\n\t" TARN_INT_MVE_AGAIN
#else
#define TARN_INT_MVE_THREE_IN_ZONES ""
#define TARN_INT_MVE_ONE_IN_ZONES ""
#endif
/* From kept sums. */
#define TARN_INT_MVE_NEAR(count)                                                                          \
    "mov r8,r12\n\tmov r0,r12\n\tmov r1,r7\n\tmov r2,r9\n\tmovs r3,#" count "\n\tbl %c0\n\t" \
    "mov r12,r8\n\tadds r7,#4\n\tb.w 4b"

/* Codes of the sums of three patches in q5 to q7: stored, or once more with kept sums where a value lies in a zone. `near`: operand 0. */
#define TARN_INT_MVE_CODES_OF_THREE \
    TARN_INT_MVE_CONSTANTS \
    "cbnz r4,5f\n\t" TARN_INT_MVE_FORMS \
    "3:\n\t" TARN_INT_MVE_SHIFT("q5") TARN_INT_MVE_SHIFT("q6") TARN_INT_MVE_SHIFT("q7") \
    "ldrd r4,r6,[r12,#24]\n\tadd r4,r7\n\tadd r6,r7\n\t" \
    "vstrb.32 q5,[r7],#4\n\tvstrb.32 q6,[r4]\n\tvstrb.32 q7,[r6]\n" \
    "4:\n\t" TARN_INT_MVE_NEXT \
    "5:\n\t" TARN_INT_MVE_THREE_IN_ZONES \
    "7:\n\tldr r1,[r12,#48]\n\tcbz r1,6f\n\t" \
    "vldrw.32 q0,[r1],#16\n\tstr r1,[r12,#48]\n\tldrd r1,r3,[r12,#52]\n\tldr r5,[r12,#60]\n\t" \
    "vmla.s32 q5,q0,r1\n\tvmla.s32 q6,q0,r3\n\tvmla.s32 q7,q0,r5\n\tvldrw.32 q0,[r9,#16]\n" \
    "6:\n\tadd r1,r12,#64\n\tvstrw.32 q5,[r1]\n\tvstrw.32 q6,[r1,#16]\n\tvstrw.32 q7,[r1,#32]\n\t" TARN_INT_MVE_FORMS \
    "ldr r4,[r12,#136]\n\tvdup.32 q0,r4\n\tvand q1,q5,q0\n\tvand q2,q6,q0\n\tvand q3,q7,q0\n\t" \
    "vminv.u32 r4,q1\n\tvminv.u32 r4,q2\n\tvminv.u32 r4,q3\n\tcmp r4,#0\n\tbne.w 3b\n\t" TARN_INT_MVE_NEAR("3")

/* Those of two in q5 and q6, of weights without zero points. */
#define TARN_INT_MVE_CODES_OF_TWO \
    TARN_INT_MVE_CONSTANTS \
    "cbnz r4,5f\n\t" TARN_INT_MVE_FORM("q5") TARN_INT_MVE_FORM("q6") \
    "3:\n\t" TARN_INT_MVE_SHIFT("q5") TARN_INT_MVE_SHIFT("q6") \
    "ldr r4,[r12,#24]\n\tadd r4,r7\n\tvstrb.32 q5,[r7],#4\n\tvstrb.32 q6,[r4]\n" \
    "4:\n\t" TARN_INT_MVE_NEXT \
    "5:\n\t" TARN_INT_MVE_TWO_IN_ZONES \
    "7:\n\tadd r1,r12,#64\n\tvstrw.32 q5,[r1]\n\tvstrw.32 q6,[r1,#16]\n\t" \
    TARN_INT_MVE_FORM("q5") TARN_INT_MVE_FORM("q6") \
    "ldr r4,[r12,#136]\n\tvdup.32 q0,r4\n\tvand q1,q5,q0\n\tvand q2,q6,q0\n\t" \
    "vminv.u32 r4,q1\n\tvminv.u32 r4,q2\n\tcmp r4,#0\n\tbne.w 3b\n\t" TARN_INT_MVE_NEAR("2")

/* Those of one patch in q5. */
#define TARN_INT_MVE_CODES_OF_ONE \
    TARN_INT_MVE_CONSTANTS \
    "cbnz r4,5f\n\t" TARN_INT_MVE_FORM("q5") \
    "3:\n\t" TARN_INT_MVE_SHIFT("q5") "vstrb.32 q5,[r7],#4\n" \
    "4:\n\t" TARN_INT_MVE_NEXT \
    "5:\n\t" TARN_INT_MVE_ONE_IN_ZONES \
    "7:\n\tldr r1,[r12,#48]\n\tcbz r1,6f\n\t" \
    "vldrw.32 q2,[r1],#16\n\tstr r1,[r12,#48]\n\tldr r1,[r12,#52]\n\tvmla.s32 q5,q2,r1\n" \
    "6:\n\tadd r1,r12,#64\n\tvstrw.32 q5,[r1]\n\t" TARN_INT_MVE_FORM("q5") \
    "ldr r4,[r12,#136]\n\tvdup.32 q0,r4\n\tvand q1,q5,q0\n\tvminv.u32 r4,q1\n\tcmp r4,#0\n\tbne 3b\n\t" \
    TARN_INT_MVE_NEAR("1")

#else

/* The end of four outputs whose sums are kept. */
TARN_INLINE void tarn_int_mve_close(tarn_int_mve_state *s, const int32_t *q, int32_t count)
{
    if (s->w_zero != NULL) {
        s->w_zero += 4;
    }
    tarn_int_mve_near(s, s->y, q, count);
    s->y += 4;
}

#endif
#endif
