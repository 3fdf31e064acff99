/* SPDX-License-Identifier: MIT-0
 * Sums of codes under a window, eight channels at a time, and codes from sums, four at a time, for processors with the M-profile
 * vector extension. */
#ifndef TARN_INT_MVE_SUMS_H
#define TARN_INT_MVE_SUMS_H

#include "tarn_int_mve_asm.h"
#include "tarn_requant.h"

TARN_BEGIN_C

#if TARN_INT_MVE_ASM

#define TARN_INT_MVE_SUMS_MOST 256 /* codes under a window: their sum has 16 bits */

/* The assembly counts on the order. */
typedef struct {
    const int8_t *const *rows;  /* NULL: outside the image */
    int32_t count;              /* rows */
    int32_t offset;             /* of the first channel in each */
    int32_t taps, pitch;        /* pixels in a row, and codes from one to the next */
    int32_t begin;              /* of every sum */
    int32_t channels;
    int32_t *sums;              /* room for a multiple of eight */
} tarn_int_mve_window;

/* Eight channels. */
#define TARN_INT_MVE_WINDOW(load)                                                                        \
    "vdup.16 q0,r6\n\tmov r10,r1\n\tmov r12,r2\n"                                                        \
    "2:\n\tldr r0,[r10],#4\n\tcbz r0,4f\n\tadd r0,r3\n\twls lr,r4,4f\n"                                  \
    "3:\n\t" load " q1,[r0]\n\tadd r0,r5\n\tvadd.i16 q0,q0,q1\n\tle lr,3b\n"                             \
    "4:\n\tsubs r12,#1\n\tbne 2b\n\t"                                                                  \
    "vmovlb.s16 q2,q0\n\tvmovlt.s16 q3,q0\n\tvst20.32 {q2,q3},[r8]\n\tvst21.32 {q2,q3},[r8]!\n\t"

TARN_NAKED static TARN_UNUSED void tarn_int_mve_window_sums(const tarn_int_mve_window *w TARN_UNUSED)
{
    __asm__("push {r4-r10,lr}\n\tldm r0,{r1-r8}\n\tsubs r7,#8\n\tblt 6f\n"
            "1:\n\t" TARN_INT_MVE_WINDOW("vldrb.s16") "adds r3,#8\n\tsubs r7,#8\n\tbge 1b\n"
            "6:\n\tadds r7,#8\n\tbeq 7f\n\tvctp.16 r7\n\t" TARN_INT_MVE_WINDOW("vpst\n\tvldrbt.s16")
            "7:\n\tpop {r4-r10,pc}");
}

/* The assembly counts on the order. */
typedef struct {
    const int32_t *sums;
    int8_t *y;
    int32_t count;
    int32_t begin, pre, c, post, parity, tie;   /* post, tie: negative */
    int32_t m, lo, hi;
} tarn_int_sum_line;

/* Codes of a line and its ties, which lie inside the zone. */
TARN_NAKED static TARN_UNUSED void tarn_int_mve_line_codes(const tarn_int_sum_line *s TARN_UNUSED)
{
    __asm__("push {r4-r8,r10,r11,lr}\n\tvpush {d8-d13}\n\tmov r12,r0\n\tldrd r1,r2,[r12],#8\n\tldr lr,[r12],#4\n\t"
            "ldm r12!,{r3-r8}\n\tldm r12,{r0,r10,r11}\n\t"
            "vdup.32 q3,r0\n\tvdup.32 q5,r10\n\tvdup.32 q6,r11\n\tvmov.i32 q4,#1\n\twlstp.32 lr,lr,3f\n"
            "2:\n\tvldrw.32 q0,[r1],#16\n\tvadd.i32 q0,q0,r3\n\tvshl.s32 q0,r4\n\tvmulh.s32 q0,q0,q3\n\tvadd.i32 q0,q0,r5\n\t"
            "vmov q1,q0\n\tvshl.s32 q1,r6\n\tvadd.i32 q1,q1,r7\n\tvand q1,q1,q4\n\tvmla.s32 q0,q1,r8\n\tvshl.s32 q0,r6\n\t"
            "vmax.s32 q0,q0,q5\n\tvmin.s32 q0,q0,q6\n\tvstrb.32 q0,[r2],#4\n\tletp lr,2b\n"
            "3:\n\tvpop {d8-d13}\n\tpop {r4-r8,r10,r11,pc}");
}

#endif

TARN_END_C
#endif
