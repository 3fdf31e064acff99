/* SPDX-License-Identifier: MIT-0
 * Of tarn_int_matmul_dsp_s8.c: columns of few codes, with both operands widened once. */
#ifndef TARN_INT_MATMUL_DSP_FEW_S8_H
#define TARN_INT_MATMUL_DSP_FEW_S8_H

#include "tarn_int_clamp_s8.h"
#include "tarn_int_matmul_dsp_s8.h"
#include "tarn_requant_floats.h"

#if TARN_INT_DSP_ASM && !TARN_LESS_CODE

#define INT_MATMUL_DSP_FEW 32   /* codes of a column up to which both operands are widened */
#define INT_MATMUL_DSP_ROOM 162 /* words for them: eight columns and two rows of as many codes */

/* Columns in fours, widened, and all rows, of which two are widened at a time. The assembly counts on the order of the members up to
 * `pairs`. */
typedef struct {
    int32_t nothing[8];
    int32_t sums[8];            /* [2 rows][4 columns] */
    int32_t pre, m, c, mask;    /* of a form whose lines have 16 bits behind the point, or as many as `shift` says */
    int8_t *y, *y_second;       /* two rows */
    int32_t shift;              /* 0: 16 */
    int32_t lines[8];
    const int32_t *x;           /* [4 columns]: [k/4][(0, 2) of each, (1, 3) of each], then which column of y is the first */
    int32_t *x_end, *a_end;     /* behind them two rows: [k/4][(0, 2) of both, (1, 3) of both] */
    int32_t odd;                /* fours of codes % 2 */
    const int8_t *a, *a_second;
    int32_t a_step;             /* from behind a row to the next but one */
    uint32_t a_zeros;           /* the negative zero point, twice */
    int32_t fours, rest;        /* of codes */
    int32_t y_step, pairs;      /* of rows */
    const tarn_int_matmul_dsp_s8_params *p;
    float scale;                /* tarn_requant_scale() */
} int_matmul_dsp_few_s8;

/* Lines of eight sums that lie in a zone become those of their codes. */
TARN_SMALL static void int_matmul_dsp_few_near_s8(int_matmul_dsp_few_s8 *s)
{
    const tarn_int_matmul_dsp_s8_params *p = s->p;
    const int32_t shift = (s->shift != 0) ? s->shift : 16;
    int32_t i;
    for (i = 0; i < 8; ++i) {
        const int32_t near = s->lines[i] >> shift;
        /* Far from the codes that there are it does not matter. */
        if (((s->lines[i] & s->mask) == 0) && (near > -130) && (near < 130)) {
            const int32_t sum = s->sums[i];
            const int32_t line = p->constant + tarn_mulhi_s32((int32_t)((uint32_t)sum << p->requant.pre), p->factor);
            const int32_t code = ((line & p->requant.mask) == 0) ? tarn_requant_near_floats(&p->requant, s->scale, sum, line, p->factor)
                                                                 : tarn_requant_clamp(&p->requant, line >> p->requant.post);
            s->lines[i] = (int32_t)((uint32_t)code << shift);
        }
    }
}

/* Two codes of two rows and four columns. */
#define INT_MATMUL_DSP_TWO                                                                                \
    "ldrd r2,r3,[r0],#8\n\tldrd r12,lr,[r1],#16\n\tsmlad r4,r2,r12,r4\n\tsmlad r8,r3,r12,r8\n\t"           \
    "smlad r5,r2,lr,r5\n\tsmlad r9,r3,lr,r9\n\tldrd r12,lr,[r1,#-8]\n\tsmlad r6,r2,r12,r6\n\t"             \
    "smlad r10,r3,r12,r10\n\tsmlad r7,r2,lr,r7\n\tsmlad r11,r3,lr,r11\n\t"
/* Bytes 0 and 2 of a SEL are the first operand's. */
#define INT_MATMUL_DSP_SEL "mov r2,#0x00FF00FF\n\tuadd8 r2,r2,r2\n\t"
#define INT_MATMUL_DSP_HALVES(a, b, c, d, at)                                                             \
    "pkhtb r2," c "," a ",asr #16\n\tpkhtb r3," d "," b ",asr #16\n\tssat16 r2,#8,r2\n\tssat16 r3,#8,r3\n\t" \
    "lsls r3,r3,#8\n\tsel r2,r2,r3\n\tstr r2,[r0," at "]\n\t"
/* One of the last codes of two rows. */
#define INT_MATMUL_DSP_LAST(first, second)                                                                \
    "ldrsb r7,[r2],#1\n\tldrsb r8,[r3],#1\n\tadd r7,r4\n\tadd r8,r4\n\tstrh r7,[r0,#" first "]\n\tstrh r8,[r0,#" second "]\n\t"

TARN_NAKED static void int_matmul_dsp_few_rows_s8(int_matmul_dsp_few_s8 *s TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\n\tsub sp,#20\n\tadd r1,r0,#32\n\tldrd r2,r3,[r0,#132]\n\tmov r12,r0\n\tstrd r0,r2,[sp]\n\tstrd r1,r3,[sp,#8]\n"
            /* Two rows. */
            "0:\n\tldrd r2,r3,[r12,#140]\n\tldrd r11,r4,[r12,#148]\n\tldrd r5,r6,[r12,#156]\n\tldrd r1,r0,[r12,#124]\n\tcbz r5,2f\n"
            "1:\n\tldr r7,[r2],#4\n\tldr r8,[r3],#4\n\tsxtab16 r9,r4,r7\n\tsxtab16 r10,r4,r8\n\t"
            "sxtab16 r7,r4,r7,ror #8\n\tsxtab16 r8,r4,r8,ror #8\n\tstrd r9,r10,[r0],#8\n\tstrd r7,r8,[r0],#8\n\tsubs r5,#1\n\tbne 1b\n"
            "2:\n\tcbz r6,3f\n\tstrd r5,r5,[r0]\n\tstrd r5,r5,[r0,#8]\n\t" INT_MATMUL_DSP_LAST("0", "4") "cmp r6,#2\n\tblo 3f\n\t"
            INT_MATMUL_DSP_LAST("8", "12") "beq 3f\n\t" INT_MATMUL_DSP_LAST("2", "6")
            "3:\n\tadd r2,r11\n\tadd r3,r11\n\tstrd r2,r3,[r12,#140]\n\tldr r0,[r12,#128]\n\t" INT_MATMUL_DSP_SEL
            /* Four columns. */
            "4:\n\tldm r12,{r4-r11}\n\tldr r2,[sp,#12]\n\tcbnz r2,6f\n"
            "5:\n\t" INT_MATMUL_DSP_TWO INT_MATMUL_DSP_TWO
            "6:\n\t" INT_MATMUL_DSP_TWO INT_MATMUL_DSP_TWO "ldr r2,[sp,#4]\n\tcmp r0,r2\n\tbne 5b\n\t"
            "ldr r12,[sp,#8]\n\tstm r12!,{r4-r11}\n\tldm r12,{r0,r2,r3,lr}\n\t"
            ".irp a,r4,r5,r6,r7,r8,r9,r10,r11\n\tlsl \\a,\\a,r0\n\tsmmla \\a,\\a,r2,r3\n\t.endr\n\t"
            "tst r4,lr\n\titttt ne\n\ttstne r5,lr\n\ttstne r6,lr\n\ttstne r7,lr\n\ttstne r8,lr\n\t"
            "ittt ne\n\ttstne r9,lr\n\ttstne r10,lr\n\ttstne r11,lr\n\tbeq.w 10f\n"
            "7:\n\tldr r12,[sp]\n\tldr r0,[r1],#4\n\tldr r3,[r12,#88]\n\tcbnz r3,9f\n\tldrd r12,lr,[r12,#80]\n\t"
            INT_MATMUL_DSP_HALVES("r4", "r5", "r6", "r7", "r12") INT_MATMUL_DSP_HALVES("r8", "r9", "r10", "r11", "lr")
            "8:\n\tldr r12,[sp]\n\tldr r0,[r12,#128]\n\tcmp r1,r0\n\tbne.w 4b\n\t"
            "ldrd r2,r3,[r12,#80]\n\tldrd r4,r5,[r12,#164]\n\tadd r2,r4\n\tadd r3,r4\n\tstrd r2,r3,[r12,#80]\n\t"
            "subs r5,#1\n\tstr r5,[r12,#168]\n\tbne.w 0b\n\tadd sp,#20\n\tpop {r4-r11,pc}\n"
            "9:\n\tldrd r2,r12,[r12,#80]\n\tadd r2,r0\n\tadd r12,r0\n\t"
            ".irp a,r4,r5,r6,r7\n\tasr \\a,\\a,r3\n\tssat \\a,#8,\\a\n\tstrb \\a,[r2],#1\n\t.endr\n\t"
            ".irp a,r8,r9,r10,r11\n\tasr \\a,\\a,r3\n\tssat \\a,#8,\\a\n\tstrb \\a,[r12],#1\n\t.endr\n\tb 8b\n"
            "10:\n\tldr r0,[sp]\n\tadd r2,r0,#92\n\tstm r2,{r4-r11}\n\tmov r4,r1\n\tbl %c0\n\tmov r1,r4\n\t" INT_MATMUL_DSP_SEL
            "ldr r0,[sp]\n\tadds r0,#92\n\tldm r0,{r4-r11}\n\tb 7b"
            : : "i"(int_matmul_dsp_few_near_s8));
}

/* Codes k and k + 2 of four columns, which stand in words in r6 and r8, less their zero points. */
#define INT_MATMUL_DSP_ACROSS                                                                             \
    "sxtab16 r7,r3,r6,ror #8\n\tsxtab16 r6,r3,r6\n\tsxtab16 r9,r3,r8,ror #8\n\tsxtab16 r8,r3,r8\n\t"        \
    "pkhbt lr,r6,r8,lsl #16\n\tpkhtb r8,r8,r6,asr #16\n\tpkhbt r6,r7,r9,lsl #16\n\tpkhtb r9,r9,r7,asr #16\n\t" \
    "strd lr,r6,[r0],#8\n\tstrd r8,r9,[r0],#8\n\t"

/* Fours of codes of four columns that lie side by side, `step` bytes from one code to the next; the end of x. */
TARN_NAKED static int16_t *int_matmul_dsp_across_s8(int16_t *x TARN_UNUSED, const int8_t *b TARN_UNUSED, int32_t step TARN_UNUSED,
                                                    uint32_t zeros TARN_UNUSED, int32_t fours TARN_UNUSED)
{
    __asm__("push {r4-r9,lr}\n\tldr r4,[sp,#28]\n\tlsls r5,r2,#1\n"
            "1:\n\tldr r6,[r1]\n\tldr r8,[r1,r5]\n\tadd r12,r1,r2\n\t" INT_MATMUL_DSP_ACROSS
            "ldr r6,[r12]\n\tldr r8,[r12,r5]\n\tadd r1,r1,r5,lsl #1\n\t" INT_MATMUL_DSP_ACROSS "subs r4,#1\n\tbne 1b\n\tpop {r4-r9,pc}");
}

/* And of four columns of codes that do, `step` bytes from one column to the next. */
TARN_NAKED static int16_t *int_matmul_dsp_along_s8(int16_t *x TARN_UNUSED, const int8_t *b TARN_UNUSED, int32_t step TARN_UNUSED,
                                                   uint32_t zeros TARN_UNUSED, int32_t fours TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\n\tldr r4,[sp,#36]\n\tadd r5,r2,r2,lsl #1\n"
            "1:\n\tldr r7,[r1,r2]\n\tldr r8,[r1,r2,lsl #1]\n\tldr r9,[r1,r5]\n\tldr r6,[r1],#4\n\t"
            "sxtab16 r10,r3,r6\n\tsxtab16 r11,r3,r7\n\tstrd r10,r11,[r0],#8\n\tsxtab16 r10,r3,r8\n\tsxtab16 r11,r3,r9\n\tstrd r10,r11,[r0],#8\n\t"
            ".irp a,r6,r7,r8,r9\n\tsxtab16 \\a,r3,\\a,ror #8\n\t.endr\n\tstrd r6,r7,[r0],#8\n\tstrd r8,r9,[r0],#8\n\t"
            "subs r4,#1\n\tbne 1b\n\tpop {r4-r11,pc}");
}

/* Four columns of b less its zero point; the end of x. */
static int16_t *int_matmul_dsp_four_s8(const tarn_int_matmul_dsp_s8_params *p, const int8_t *b, int16_t *x)
{
    const uint32_t zeros = (0U - (uint32_t)p->b_zero) & 0xFFFFU;
    const int32_t fours = p->k / 4;
    int16_t *to = x;
    int32_t k = 0;
    if ((fours != 0) && (p->b_column == 1)) {
        to = int_matmul_dsp_across_s8(to, b, p->b_row, zeros * 0x10001U, fours);
        k = 4 * fours;
    } else if ((fours != 0) && (p->b_row == 1)) {
        to = int_matmul_dsp_along_s8(to, b, p->b_column, zeros * 0x10001U, fours);
        k = 4 * fours;
    } else {
        /* Codes that lie apart, or few. */
    }
    for (; k < p->k; k += 4) {
        int32_t i;
        for (i = 0; i < 16; ++i) {
            const int32_t code = k + ((i % 2) * 2) + (i / 8);
            const int32_t column = (i / 2) % 4;
            to[i] = (code < p->k) ? (int16_t)(b[(code * p->b_row) + (column * p->b_column)] - p->b_zero) : (int16_t)0;
        }
        to += 16;
    }
    return to;
}

/* A batch. */
static void int_matmul_dsp_few_batch_s8(int_matmul_dsp_few_s8 *s, const int8_t *a, const int8_t *b, int8_t *y, int32_t *room)
{
    const tarn_int_matmul_dsp_s8_params *p = s->p;
    const int32_t padded = (p->k + 3) / 4;
    const int32_t most = (INT_MATMUL_DSP_ROOM - (4 * padded)) / ((8 * padded) + 1);
    int32_t column = 0;
    while (column < p->n) {
        int32_t *x = room;
        int32_t left = most;
        for (; (left > 0) && (column < p->n); --left) {
            /* The last four may lie partly over those before. */
            const int32_t at = ((p->n - column) < 4) ? (p->n - 4) : column;
            x = (int32_t *)(void *)int_matmul_dsp_four_s8(p, b + ((ptrdiff_t)at * p->b_column), (int16_t *)(void *)x);
            *x = at;
            ++x;
            column += 4;
        }
        s->x_end = x;
        s->a_end = x + ((ptrdiff_t)4 * padded);
        s->a = a;
        s->a_second = a + p->a_row;
        s->y = y;
        s->y_second = y + p->y_row;
        s->pairs = p->m / 2;
        if (s->pairs > 0) {
            int_matmul_dsp_few_rows_s8(s);
        }
        if ((p->m % 2) != 0) {
            s->a = a + ((ptrdiff_t)(p->m - 1) * p->a_row);
            s->a_second = s->a;
            s->y = y + ((ptrdiff_t)(p->m - 1) * p->y_row);
            s->y_second = s->y;
            s->pairs = 1;
            int_matmul_dsp_few_rows_s8(s);
        }
    }
}

/* Columns of few codes. */
static TARN_NOINLINE void int_matmul_dsp_few_all_s8(const tarn_int_matmul_dsp_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y)
{
    int32_t room[INT_MATMUL_DSP_ROOM];
    int_matmul_dsp_few_s8 s;
    const int32_t more = p->requant.post - 16;
    int32_t batch;
    int32_t i;
    for (i = 0; i < 8; ++i) {
        s.nothing[i] = 0;
    }
    s.p = p;
    s.pre = p->requant.pre;
    s.m = p->factor;
    s.c = p->constant;
    s.mask = p->requant.mask;
    s.shift = p->requant.post;
    if ((more >= 0) && (more <= s.pre)) {
        /* Lines without their last bits, which is at most one too much: zones are wider by that. */
        s.shift = 0;
        s.pre -= more;
        if (more > 0) {
            int32_t zone = 2;
            s.c = (s.c >> more) + 1;
            while ((p->requant.mask != -1) && (((zone / 2) << more) < (int32_t)(((uint32_t)1 << p->requant.post) - (uint32_t)p->requant.mask))) {
                zone *= 2;
            }
            s.mask = (zone < 0x10000) ? (0x10000 - zone) : 0;
        }
    }
    s.scale = tarn_requant_scale(&p->requant, p->factor);
    s.x = room;
    s.odd = ((p->k + 3) / 4) % 2;
    s.a_step = (2 * p->a_row) - p->k;
    s.a_zeros = ((0U - (uint32_t)p->a_zero) & 0xFFFFU) * 0x10001U;
    s.fours = p->k / 4;
    s.rest = p->k % 4;
    s.y_step = 2 * p->y_row;
    for (batch = 0; batch < p->batches; ++batch) {
        int8_t *y_at = y + ((ptrdiff_t)batch * p->y_batch);
        int_matmul_dsp_few_batch_s8(&s, a + ((ptrdiff_t)batch * p->a_batch), b + ((ptrdiff_t)batch * p->b_batch), y_at, room);
        tarn_int_clamp_s8(&p->requant, y_at, p->m, p->n, p->y_row);
    }
}

#endif

#endif
