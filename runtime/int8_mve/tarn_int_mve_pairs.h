/* SPDX-License-Identifier: MIT-0
 * Sums and products of two operands of codes, four pairs at a time, for processors with the M-profile vector extension. */
#ifndef TARN_INT_MVE_PAIRS_H
#define TARN_INT_MVE_PAIRS_H

#include "tarn_int_mve_asm.h"

TARN_BEGIN_C

#if TARN_INT_MVE_ASM

#define TARN_INT_MVE_PAIRS_NEAR 8 /* fours with a pair in a zone that are kept before someone looks at them */

typedef struct {
    uint32_t lanes;             /* four bits for each pair, set where it lies in a zone */
    int8_t *end;                /* behind their codes */
    int32_t a[4], b[4];
} tarn_int_mve_near_pairs;

/* The assembly counts on the order. */
typedef struct {
    const int8_t *a, *b;
    int8_t *y;
    int32_t fours;              /* left */
    int32_t constant, down;     /* down: the negative post */
    int32_t a_factor, b_factor; /* of a product: m, and what b_zero gives */
    int32_t a_zero;             /* of a product */
    int32_t mask, lo, hi;       /* of ties: the mask is 1 */
    int32_t parity, tie;        /* tie: negative */
    tarn_int_mve_near_pairs *near, *near_end;
    tarn_int_mve_near_pairs list[TARN_INT_MVE_PAIRS_NEAR];
} tarn_int_mve_pairs;

/* r10, r11: two words of the state from `more` on. */
#define TARN_INT_MVE_PAIRS_ENTER(more)                                                                   \
    "push {r4-r8,r10,r11,lr}\n\tvpush {d8-d13}\n\tmov r12,r0\n\tldrd r10,r11,[r12,#36]\n\tldr lr,[r12,#44]\n\t" \
    "vdup.32 q4,r10\n\tvdup.32 q5,r11\n\tvdup.32 q6,lr\n\tldrd r10,r11,[r12,#" more "]\n\t"              \
    "ldm r12,{r1,r2,r3,lr}\n\tldrd r4,r5,[r12,#16]\n\tldrd r6,r7,[r12,#24]\n\tldr r8,[r12,#32]\n\t"         \
    "wls lr,lr,3f\n2:\n\tvldrb.s32 q0,[r1],#4\n\tvldrb.s32 q1,[r2],#4\n\t"
#define TARN_INT_MVE_PAIRS_LINE "vmul.i32 q2,q0,r6\n\tvmla.s32 q2,q1,r7\n\tvadd.i32 q2,q2,r4\n\t"
/* The code of q2 at r3. */
#define TARN_INT_MVE_PAIRS_STORE \
    "vshl.s32 q2,r5\n\tvmax.s32 q2,q2,q5\n\tvmin.s32 q2,q2,q6\n\tvstrb.32 q2,[r3],#4\n\t"
#define TARN_INT_MVE_PAIRS_LEAVE "vpop {d8-d13}\n\tpop {r4-r8,r10,r11,pc}\n"
/* Returns the end of the list when it is full, or nothing is left. */
#define TARN_INT_MVE_PAIRS_ZONE                                                                          \
    "vand q3,q2,q4\n\tvcmp.i32 eq,q3,zr\n\t" TARN_INT_MVE_PAIRS_STORE "vmrs r0,p0\n\tcbnz r0,4f\n\tle lr,2b\n"      \
    "3:\n\tmovs r4,#0\n5:\n\tmov r0,r10\n\tstm r12,{r1-r4}\n\t" TARN_INT_MVE_PAIRS_LEAVE                 \
    "4:\n\tstm r10!,{r0,r3}\n\tvstrw.32 q0,[r10],#16\n\tvstrw.32 q1,[r10],#16\n\tcmp r10,r11\n\tbeq 6f\n\t" \
    "le lr,2b\n\tb 3b\n6:\n\tsub r4,lr,#1\n\tb 5b"

/* t = a * a_factor + b * b_factor + constant. */
TARN_NAKED static TARN_UNUSED tarn_int_mve_near_pairs *tarn_int_mve_pair_sums(tarn_int_mve_pairs *s TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_PAIRS_ENTER("56") TARN_INT_MVE_PAIRS_LINE TARN_INT_MVE_PAIRS_ZONE);
}

/* The same with a line and its ties, which lie inside the zone: nobody need look. */
TARN_NAKED static TARN_UNUSED void tarn_int_mve_pair_ties(tarn_int_mve_pairs *s TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_PAIRS_ENTER("48") TARN_INT_MVE_PAIRS_LINE
            "vmov q3,q2\n\tvshl.s32 q3,r5\n\tvadd.i32 q3,q3,r10\n\tvand q3,q3,q4\n\tvmla.s32 q2,q3,r11\n\t"
            TARN_INT_MVE_PAIRS_STORE "le lr,2b\n3:\n\t" TARN_INT_MVE_PAIRS_LEAVE);
}

/* t = (a - a_zero) * (b * a_factor - b_factor) + constant. */
TARN_NAKED static TARN_UNUSED tarn_int_mve_near_pairs *tarn_int_mve_pair_products(tarn_int_mve_pairs *s TARN_UNUSED)
{
    __asm__(TARN_INT_MVE_PAIRS_ENTER("56")
            "vsub.i32 q2,q0,r8\n\tvmul.i32 q3,q1,r6\n\tvsub.i32 q3,q3,r7\n\tvmlas.s32 q2,q3,r4\n\t" TARN_INT_MVE_PAIRS_ZONE);
}

/* Before each of these. */
TARN_INLINE void tarn_int_mve_pairs_begin(tarn_int_mve_pairs *s)
{
    s->near = s->list;
    s->near_end = s->list + TARN_INT_MVE_PAIRS_NEAR;
}

#endif

TARN_END_C
#endif
