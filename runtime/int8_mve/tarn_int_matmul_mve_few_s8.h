/* SPDX-License-Identifier: MIT-0
 * Of tarn_int_matmul_mve_s8.c: columns of no more than sixteen codes, of which sixteen are gathered at a time, and four rows that stay in
 * registers. */
#ifndef TARN_INT_MATMUL_MVE_FEW_S8_H
#define TARN_INT_MATMUL_MVE_FEW_S8_H

#include "tarn_int_matmul_mve_s8.h"
#include "tarn_requant_floats.h"

/* Vectors of floats: numbers that a form divides by its unit are had in them. */
#if TARN_INT_MVE_ASM && defined(__ARM_FP) && ((__ARM_FEATURE_MVE & 2) != 0)
#define INT_MATMUL_MVE_FLOATS 1
#else
#define INT_MATMUL_MVE_FLOATS 0
#endif

#if TARN_INT_MVE_ASM && !TARN_LESS_CODE

#define INT_MATMUL_MVE_FEW 16 /* columns of no more than sixteen codes that are gathered at a time */

/* Four rows, which stay in registers, and columns. The assembly counts on the order of the members up to `zero`. */
typedef struct {
    const int8_t *x;            /* the next four rows of a */
    int32_t x_row;
    int32_t k;
    int32_t b_minus, all;       /* the negative zero point of b; what both take from every sum */
    int32_t shift, m, c;        /* of a form whose lines have 16 bits behind the point, less a half: narrowing rounds */
    const int32_t *columns;     /* [columns / 4][0, 2, 1, 3][four times what the zero point of a takes; 16 codes] */
    int8_t *y;
    int32_t y_row;
    int32_t zone;               /* what is behind the point, 16 bits, lies in a zone below this; what is before it seldom is so small */
    int32_t quads, blocks;      /* of columns, of rows */
    int32_t b_row, b_column, a_minus;
    int32_t row_sums[4], row_lines[4];  /* what rows add to sums, and to lines */
    int32_t sums[4], codes[4];
    float unit, scale;          /* as before */
    int32_t zero;
    const tarn_int_matmul_mve_s8_params *p;
} int_matmul_mve_few_s8;

/* Codes of four sums. */
TARN_SMALL static void int_matmul_mve_few_near_s8(int_matmul_mve_few_s8 *s)
{
    const tarn_int_matmul_mve_s8_params *p = s->p;
    int32_t i;
    for (i = 0; i < 4; ++i) {
        s->codes[i] = tarn_requant(&p->requant, NULL, 0, s->sums[i], p->factor, p->constant);
    }
}

/* A column and its place, then on to the one that comes next. r1: where it is, r2: the step to the next, r4, r7: of the zero point. */
#define INT_MATMUL_MVE_FEW_COLUMN(next)                                                                   \
    "vldrb.u16 q2,[r1,q0]\nvldrb.u16 q3,[r1,q1]\nvmovnt.i16 q2,q3\nvpst\nvaddvt.s8 r4,q2\nmul r4,r7,r4\n"     \
    "vdup.32 q3,r4\nvstrw.32 q3,[r0],#16\nvstrb.8 q2,[r0],#16\n" next

/* Gathers `quads` times four columns. */
TARN_NAKED static void int_matmul_mve_few_gather_s8(const int_matmul_mve_few_s8 *s TARN_UNUSED, const int8_t *b TARN_UNUSED)
{
    __asm__("push {r4-r7,lr}\nldrd r2,r7,[r0,#60]\nldrd r5,lr,[r0,#44]\nldr r5,[r0,#8]\nldr r4,[r0,#56]\nldr r0,[r0,#32]\n"
            "mov r12,#0\nvidup.u16 q2,r12,#2\nvmul.i16 q0,q2,r4\nvadd.i16 q1,q0,r4\n"
            "vcmp.u16 cs,q2,r5\nvpst\nvmovt.i16 q0,#0\nsubs r4,r5,#1\nvcmp.u16 cs,q2,r4\nvpst\nvmovt.i16 q1,#0\nvctp.8 r5\n"
            "1:\n" INT_MATMUL_MVE_FEW_COLUMN("add r1,r1,r2,lsl #1\n") INT_MATMUL_MVE_FEW_COLUMN("sub r1,r1,r2\n")
            INT_MATMUL_MVE_FEW_COLUMN("add r1,r1,r2,lsl #1\n") INT_MATMUL_MVE_FEW_COLUMN("add r1,r1,r2\n")
            "le lr,1b\npop {r4-r7,pc}");
}

/* Four rows from r1 on, r2 bytes apart; r3: codes. */
#define INT_MATMUL_MVE_FEW_ROWS                                                                           \
    "vctp.8 r3\nadd r4,r1,r2\nadd r6,r1,r2,lsl #1\nadd r8,r4,r2,lsl #1\n"                                 \
    "vpstttt\nvldrbt.8 q0,[r1]\nvldrbt.8 q1,[r4]\nvldrbt.8 q2,[r6]\nvldrbt.8 q3,[r8]\n"
/* Four rows times the column at r0: lines of those of which the 16 bits behind the point are not in a zone. */
#define INT_MATMUL_MVE_FEW_CODES(narrow, zone, back)                                                      \
    "ldm r0!,{r4,r6,r8,r10}\nvldrb.8 q4,[r0],#16\nvmladava.s8 r4,q0,q4\nvmladava.s8 r6,q1,q4\n"            \
    "vmladava.s8 r8,q2,q4\nvmladava.s8 r10,q3,q4\nvmov q4[2],q4[0],r4,r8\nvmov q4[3],q4[1],r6,r10\n"       \
    "vshl.s32 q4,r5\nvqdmulh.s32 q4,q4,r7\nvadd.i32 q4,q4,q7\n" narrow "\nvminv.s16 r9,q4\n"                      \
    "cmp r9,r11\nblt.w " zone "\n" back ":\n"
/* The same for a column with lines in a zone, which ended with the narrowing. */
#define INT_MATMUL_MVE_FEW_ZONE(narrow, zone, back) zone ":\nmov r12,lr\nbl 9f\nmov lr,r12\n" narrow "\nb.w " back "\n"
#if INT_MATMUL_MVE_FLOATS
#define INT_MATMUL_MVE_FEW_EXACT                                                                          \
    "vmov s28,r4\nmov r4,r6\nldr r6,[r9,#140]\n"                                                         \
    "vcvt.f32.s32 q4,q4\nvmul.f32 q4,q4,r4\nvdiv.f32 s16,s16,s28\nvdiv.f32 s17,s17,s28\nvdiv.f32 s18,s18,s28\n" \
    "vdiv.f32 s19,s19,s28\nvcvtn.s32.f32 q4,q4\nvqadd.s32 q4,q4,r6\n"
#else
#define INT_MATMUL_MVE_FEW_EXACT ""
#endif
#define INT_MATMUL_MVE_FEW_B "vqrshrnb.s32 "
#define INT_MATMUL_MVE_FEW_T "vqrshrnt.s32 "

/* Blocks of four rows times quads of columns. Lines are of what columns make of a row and of what the row itself adds, each rounded
 * down: they are up to one too much, and zones are wider by that. */
TARN_NAKED static void int_matmul_mve_few_blocks_s8(int_matmul_mve_few_s8 *s TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\nvpush {d8-d15}\nsub sp,#4\nstr r0,[sp]\n"
            "1:\nldrd r1,r2,[r0]\nldr r3,[r0,#8]\n" INT_MATMUL_MVE_FEW_ROWS "add r1,r1,r2,lsl #2\nstr r1,[r0]\n"
            "vaddv.s8 r4,q0\nvaddv.s8 r6,q1\nvaddv.s8 r8,q2\nvaddv.s8 r10,q3\nvmov q7[2],q7[0],r4,r8\nvmov q7[3],q7[1],r6,r10\n"
            "ldrd r4,r6,[r0,#12]\nvmul.i32 q7,q7,r4\nvadd.i32 q7,q7,r6\nldrd r5,r7,[r0,#20]\nldr r8,[r0,#28]\n"
            "vstrw.32 q7,[r0,#68]\nvshl.s32 q7,r5\nvqdmulh.s32 q7,q7,r7\nvadd.i32 q7,q7,r8\nvstrw.32 q7,[r0,#84]\n"
            "ldrd r1,r2,[r0,#36]\nldrd r11,lr,[r0,#44]\nadd r3,r2,r2,lsl #1\nadd r4,r1,r2,lsl #2\nstr r4,[r0,#36]\n"
            "ldr r0,[r0,#32]\nmovw r9,#0x7FFF\n"
            "2:\n" INT_MATMUL_MVE_FEW_CODES(INT_MATMUL_MVE_FEW_B "q5,q4,#16", "3f", "13")
            INT_MATMUL_MVE_FEW_CODES(INT_MATMUL_MVE_FEW_T "q5,q4,#16", "4f", "14")
            INT_MATMUL_MVE_FEW_CODES(INT_MATMUL_MVE_FEW_B "q6,q4,#16", "5f", "15")
            INT_MATMUL_MVE_FEW_CODES(INT_MATMUL_MVE_FEW_T "q6,q4,#16", "6f", "16")
            "vqmovnb.s16 q5,q5\nvqmovnt.s16 q5,q6\nvmov r4,r8,q5[2],q5[0]\nvmov r6,r10,q5[3],q5[1]\n"
            "str r6,[r1,r2]\nstr r8,[r1,r2,lsl #1]\nstr r10,[r1,r3]\nstr r4,[r1],#4\nle lr,2b\n"
            "ldr r0,[sp]\nldr r1,[r0,#52]\nsubs r1,#1\nstr r1,[r0,#52]\nbne.w 1b\nadd sp,#4\nvpop {d8-d15}\npop {r4-r11,pc}\n"
            INT_MATMUL_MVE_FEW_ZONE(INT_MATMUL_MVE_FEW_B "q5,q4,#16", "3", "13b")
            INT_MATMUL_MVE_FEW_ZONE(INT_MATMUL_MVE_FEW_T "q5,q4,#16", "4", "14b")
            INT_MATMUL_MVE_FEW_ZONE(INT_MATMUL_MVE_FEW_B "q6,q4,#16", "5", "15b")
            INT_MATMUL_MVE_FEW_ZONE(INT_MATMUL_MVE_FEW_T "q6,q4,#16", "6", "16b")
            /* All four anew, from their sums. */
            "9:\npush {r12,lr}\nldr r9,[sp,#8]\nvmov q4[2],q4[0],r4,r8\nvmov q4[3],q4[1],r6,r10\nvldrw.32 q7,[r9,#68]\nvadd.i32 q4,q4,q7\n"
            "ldrd r4,r6,[r9,#132]\ncmp r4,#0\nbeq 7f\n" INT_MATMUL_MVE_FEW_EXACT
            "8:\nvqshl.s32 q4,q4,#16\nvldrw.32 q7,[r9,#84]\nmovw r9,#0x7FFF\npop {r12,pc}\n"
            "7:\nvstrw.32 q4,[r9,#100]\npush {r0-r3}\nmov r0,r9\nbl %c0\nldrd r1,r2,[r9]\nsub r1,r1,r2,lsl #2\nldr r3,[r9,#8]\n"
            INT_MATMUL_MVE_FEW_ROWS "vldrw.32 q4,[r9,#116]\npop {r0-r3}\nb 8b"
            : : "i"(int_matmul_mve_few_near_s8));
}

/* 0: not for these. */
static TARN_NOINLINE int32_t int_matmul_mve_few_columns_s8(const tarn_int_matmul_mve_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y)
{
    int32_t columns[8 * INT_MATMUL_MVE_FEW];
    int_matmul_mve_few_s8 s;
    const int32_t more = p->requant.post - 16;
    const int32_t most = 128 * ((p->a_zero < 0) ? (127 - p->a_zero) : (128 + p->a_zero)); /* of what a code of a column makes, and of what rows add for it */
    uint32_t zone;
    int32_t batch;
    if ((p->k > 16) || (p->m < 4) || (more < 0) || (more >= p->requant.pre) || ((p->k * most) > (INT32_MAX >> (p->requant.pre - more - 1)))) {
        return 0;
    }
    s.p = p;
    s.x_row = p->a_row;
    s.k = p->k;
    s.b_minus = -p->b_zero;
    s.all = p->k * p->a_zero * p->b_zero;
    /* The product is doubled. Lines without their last bits are up to one too much once more. */
    s.shift = p->requant.pre - more - 1;
    s.m = p->factor;
    s.c = (p->constant >> more) + ((more > 0) ? 2 : 1) - 0x8000;
    zone = (p->requant.mask == -1) ? 0U : ((((uint32_t)1 << p->requant.post) - (uint32_t)p->requant.mask + ((uint32_t)1 << more) - 1U) >> more);
    zone += (more > 0) ? 2U : 1U;
    s.zone = (zone < 0x10000U) ? ((int32_t)zone - 0x8000) : 0x8000;
    s.columns = columns;
    s.y_row = p->y_row;
    s.b_row = p->b_row;
    s.b_column = p->b_column;
    s.a_minus = -p->a_zero;
    s.unit = (INT_MATMUL_MVE_FLOATS != 0) ? (float)p->requant.unit : 0.0F;
    s.scale = tarn_requant_scale(&p->requant, p->factor);
    s.zero = p->requant.zero;
    for (batch = 0; batch < p->batches; ++batch) {
        const int8_t *x = a + ((ptrdiff_t)batch * p->a_batch);
        const int8_t *b_at = b + ((ptrdiff_t)batch * p->b_batch);
        int8_t *y_at = y + ((ptrdiff_t)batch * p->y_batch);
        int32_t column = 0;
        while (column < p->n) {
            /* The last four may lie partly over those before, and so may the last rows. */
            const int32_t at = ((p->n - column) < 4) ? (p->n - 4) : column;
            const int32_t count = (p->n - at) / 4;
            s.quads = (count < (INT_MATMUL_MVE_FEW / 4)) ? count : (INT_MATMUL_MVE_FEW / 4);
            int_matmul_mve_few_gather_s8(&s, b_at + ((ptrdiff_t)at * p->b_column));
            s.x = x;
            s.y = y_at + at;
            s.blocks = p->m / 4;
            int_matmul_mve_few_blocks_s8(&s);
            if ((p->m % 4) != 0) {
                s.x = x + ((ptrdiff_t)(p->m - 4) * p->a_row);
                s.y = y_at + ((ptrdiff_t)(p->m - 4) * p->y_row) + at;
                s.blocks = 1;
                int_matmul_mve_few_blocks_s8(&s);
            }
            column = at + (4 * s.quads);
        }
        tarn_int_mve_clamp(&p->requant, y_at, p->n, p->y_row, p->m);
    }
    return 1;
}

#endif

#endif
