/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_matmul_dsp_s8.h"
#include "tarn_int_clamp_s8.h"
#include "tarn_int_matmul_dsp_few_s8.h"
#include "tarn_requant_floats.h"

/* Three columns and all rows. The assembly counts on the order of the members up to `lines`. */
typedef struct {
    int32_t begin[3];           /* what the zero point of a takes from each column */
    const int16_t *x, *x_end;   /* columns less their zero point, [k/4][3 columns][4: 0, 2, 1, 3]; behind them [k%4][3 columns] */
    const int8_t *a;            /* two rows */
    int32_t second;             /* bytes from the first to the second */
    int32_t a_step;             /* and from behind the first, k codes on, to the next two */
    int8_t *y;
    int32_t y_second, y_step;
    int32_t pairs;              /* of rows */
    int32_t pre, mask, post;    /* of the form */
    int32_t m, c;
    int32_t rest;               /* k % 4 */
    int32_t sums[6], lines[6];  /* [2 rows][3 columns], and what the form makes of them before the shift */
    const tarn_requant_params *requant;
    float scale;                /* tarn_requant_scale() */
} int_matmul_dsp_state_s8;

#if TARN_INT_DSP_ASM

/* Once more, and this time for those of six lines that lie in a zone. */
TARN_SMALL static void int_matmul_dsp_near_s8(const int_matmul_dsp_state_s8 *s)
{
    int32_t i;
    for (i = 0; i < 6; ++i) {
        const int32_t line = s->lines[i];
        if ((line & s->mask) == 0) {
            s->y[(i < 3) ? i : (s->y_second + i - 3)] = (int8_t)tarn_requant_near_floats(s->requant, s->scale, s->sums[i], line, s->m);
        }
    }
}

/* Two sums of a column at r0 + `at`. */
#define INT_MATMUL_DSP_COLUMN(a, b, at)                                                                   \
    "ldrd r9,r10,[r0,#" at "]\n\tsmlad " a ",r6,r9," a "\n\tsmlad " a ",r7,r10," a "\n\t"                    \
    "smlad " b ",r8,r9," b "\n\tsmlad " b ",r11,r10," b "\n\t"
/* Four codes of both rows; at sp + 8: bytes from behind those of the first to those of the second. */
#define INT_MATMUL_DSP_STEP(first, second, third)                                                         \
    "ldr r6,[r1],#4\n\tldr r8,[sp,#8]\n\tldr r8,[r1,r8]\n\t"                                                 \
    "sxtb16 r7,r6,ror #8\n\tsxtb16 r6,r6\n\tsxtb16 r11,r8,ror #8\n\tsxtb16 r8,r8\n\t"                        \
    INT_MATMUL_DSP_COLUMN("r2", "r5", first) INT_MATMUL_DSP_COLUMN("r3", "r12", second)                   \
    INT_MATMUL_DSP_COLUMN("r4", "lr", third)
#define INT_MATMUL_DSP_REST(a, b) "ldrsh r9,[r0],#2\n\tsmlabb " a ",r6,r9," a "\n\tsmlabb " b ",r8,r9," b "\n\t"
#define INT_MATMUL_DSP_LINE(a) "lsl " a "," a ",r7\n\tsmmla " a "," a ",r9,r10\n\t"
#define INT_MATMUL_DSP_LINES                                                                              \
    INT_MATMUL_DSP_LINE("r2") INT_MATMUL_DSP_LINE("r3") INT_MATMUL_DSP_LINE("r4") INT_MATMUL_DSP_LINE("r5") \
    INT_MATMUL_DSP_LINE("r12") INT_MATMUL_DSP_LINE("lr")
#define INT_MATMUL_DSP_CODE(a, at) "asr " a "," a ",r7\n\tssat " a ",#8," a "\n\tstrb " a "," at "\n\t"
#define INT_MATMUL_DSP_CODES                                                                              \
    "ldr r7,[r6,#56]\n\tldrd r0,r9,[r6,#32]\n\tadd r9,r0\n\t"                              \
    INT_MATMUL_DSP_CODE("r2", "[r0]") INT_MATMUL_DSP_CODE("r3", "[r0,#1]") INT_MATMUL_DSP_CODE("r4", "[r0,#2]") \
    INT_MATMUL_DSP_CODE("r5", "[r9]") INT_MATMUL_DSP_CODE("r12", "[r9,#1]") INT_MATMUL_DSP_CODE("lr", "[r9,#2]")

TARN_NAKED static void int_matmul_dsp_rows_s8(int_matmul_dsp_state_s8 *s TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\n\tsub sp,#20\n\tldr r1,[r0,#16]\n\tldr r2,[r0,#24]\n\tsubs r2,#4\n\tldr r3,[r0,#68]\n\tmov r12,sp\n\tstm r12,{r0,r1,r2,r3}\n\t"
            "ldr r1,[r0,#20]\n"
            "1:\n\tldr r6,[sp]\n\tldm r6,{r2,r3,r4}\n\tldr r0,[r6,#12]\n\t"
            "mov r5,r2\n\tmov r12,r3\n\tmov lr,r4\n\tldr r6,[sp,#4]\n\tsubs r7,r6,r0\n\tbeq 4f\n\ttst r7,#8\n\tbeq 2f\n\t"
            INT_MATMUL_DSP_STEP("0", "8", "16") "adds r0,#24\n\tldr r6,[sp,#4]\n\tcmp r0,r6\n\tbeq 4f\n"
            "2:\n\t" INT_MATMUL_DSP_STEP("0", "8", "16") INT_MATMUL_DSP_STEP("24", "32", "40")
            "adds r0,#48\n\tldr r6,[sp,#4]\n\tcmp r0,r6\n\tbne 2b\n"
            "4:\n\tldr r7,[sp,#12]\n\tcmp r7,#0\n\tbeq 6f\n"
            "5:\n\tldrsb r6,[r1],#1\n\tldr r8,[sp,#8]\n\tadds r8,#3\n\tldrsb r8,[r1,r8]\n\t"
            INT_MATMUL_DSP_REST("r2", "r5") INT_MATMUL_DSP_REST("r3", "r12") INT_MATMUL_DSP_REST("r4", "lr")
            "subs r7,#1\n\tbne 5b\n"
            "6:\n\tldr r6,[sp]\n\tldrd r7,r8,[r6,#48]\n\tldrd r9,r10,[r6,#60]\n\tcmn r8,#1\n\tbne 9f\n\t" INT_MATMUL_DSP_LINES
            "7:\n\t" INT_MATMUL_DSP_CODES
            "8:\n\tldrd r2,r7,[r6,#40]\n\tadd r0,r2\n\tstr r0,[r6,#32]\n\tldr r2,[r6,#28]\n\tadd r1,r2\n\t"
            "subs r7,#1\n\tstr r7,[r6,#44]\n\tbne.w 1b\n\tadd sp,#20\n\tpop {r4-r11,pc}\n"
            "9:\n\tadd r0,r6,#72\n\tstm r0!,{r2,r3,r4,r5,r12,lr}\n\t" INT_MATMUL_DSP_LINES
            "tst r2,r8\n\titttt ne\n\ttstne r3,r8\n\ttstne r4,r8\n\ttstne r5,r8\n\ttstne r12,r8\n\tit ne\n\ttstne lr,r8\n\tbne 7b\n\t"
            "stm r0,{r2,r3,r4,r5,r12,lr}\n\t" INT_MATMUL_DSP_CODES
            "mov r0,r6\n\tmov r10,r1\n\tbl %c0\n\tmov r1,r10\n\tldr r6,[sp]\n\tldr r0,[r6,#32]\n\tb 8b"
            : : "i"(int_matmul_dsp_near_s8));
}

#else

static void int_matmul_dsp_rows_s8(int_matmul_dsp_state_s8 *s)
{
    const int32_t quads = (int32_t)(s->x_end - s->x) / 12;
    const int32_t k_all = (4 * quads) + s->rest;
    do {
        int32_t i;
        for (i = 0; i < 6; ++i) {
            const int8_t *a = s->a + ((i < 3) ? 0 : s->second);
            const int16_t *x = s->x + ((ptrdiff_t)4 * (i % 3));
            int32_t sum = s->begin[i % 3];
            int32_t k;
            for (k = 0; k < quads; ++k) {
                sum += (a[0] * x[0]) + (a[2] * x[1]) + (a[1] * x[2]) + (a[3] * x[3]);
                a += 4;
                x += 12;
            }
            for (k = 0; k < s->rest; ++k) {
                sum += a[k] * s->x_end[(3 * k) + (i % 3)];
            }
            s->y[(i < 3) ? i : (s->y_second + i - 3)] = (int8_t)tarn_requant(s->requant, NULL, 0, sum, s->m, s->c);
        }
        s->a += k_all + s->a_step;
        s->y += s->y_step;
        --s->pairs;
    } while (s->pairs > 0);
}

#endif

/* A column of b less its zero point to x; its sum. */
static int32_t int_matmul_dsp_column_s8(const tarn_int_matmul_dsp_s8_params *p, const int8_t *b, int16_t *x, int16_t *rest)
{
    const int32_t step = p->b_row;
    const int32_t zero = p->b_zero;
    const int8_t *from = b;
    int16_t *to = x;
    int16_t *end = rest;
    int32_t sum = 0;
    int32_t left = p->k;
#if TARN_INT_DSP_ASM
    const uint32_t zeros = ((uint32_t)zero & 0xFFFFU) * 0x10001U;
    for (; left >= 4; left -= 4) {
        uint32_t even = (uint32_t)*from;
        uint32_t odd = (uint32_t)from[step];
        __asm__("pkhbt %0,%0,%3,lsl #16\n\tssub16 %0,%0,%5\n\tpkhbt %1,%1,%4,lsl #16\n\tssub16 %1,%1,%5\n\t"
                "smlad %2,%0,%6,%2\n\tsmlad %2,%1,%6,%2\n\tstrd %0,%1,[%7]"
                : "+&r"(even), "+&r"(odd), "+&r"(sum)
                : "r"((int32_t)from[2 * (ptrdiff_t)step]), "r"((int32_t)from[3 * (ptrdiff_t)step]), "r"(zeros), "r"(0x10001), "r"(to)
                : "memory");
        to += 12;
        from += (ptrdiff_t)4 * step;
    }
#else
    for (; left >= 4; left -= 4) {
        const int32_t first = *from - zero;
        const int32_t second = from[step] - zero;
        const int32_t third = from[2 * (ptrdiff_t)step] - zero;
        const int32_t fourth = from[3 * (ptrdiff_t)step] - zero;
        sum += first + second + third + fourth;
        to[0] = (int16_t)first;
        to[1] = (int16_t)third;
        to[2] = (int16_t)second;
        to[3] = (int16_t)fourth;
        to += 12;
        from += (ptrdiff_t)4 * step;
    }
#endif
    for (; left > 0; --left) {
        const int32_t code = *from - zero;
        sum += code;
        *end = (int16_t)code;
        end += 3;
        from += step;
    }
    return sum;
}

/* Three columns at a time. */
static TARN_NOINLINE void int_matmul_dsp_long_s8(const tarn_int_matmul_dsp_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y, int32_t *columns)
{
    int32_t own[3 * TARN_INT_MATMUL_DSP_SHORT / 2];
    int16_t *x = (int16_t *)(void *)((columns != NULL) ? columns : own);
    int16_t *x_end = x + ((ptrdiff_t)12 * (p->k / 4));
    int_matmul_dsp_state_s8 s;
    int32_t batch;
    s.requant = &p->requant;
    s.x = x;
    s.x_end = x_end;
    s.a_step = (2 * p->a_row) - p->k;
    s.y_step = 2 * p->y_row;
    s.pre = p->requant.pre;
    s.mask = p->requant.mask;
    s.post = p->requant.post;
    s.m = p->factor;
    s.c = p->constant;
    s.rest = p->k % 4;
    s.scale = tarn_requant_scale(&p->requant, p->factor);
    for (batch = 0; batch < p->batches; ++batch) {
        const int8_t *b_at = b + ((ptrdiff_t)batch * p->b_batch);
        int8_t *y_at = y + ((ptrdiff_t)batch * p->y_batch);
        int32_t column;
        for (column = 0; column < p->n; column += 3) {
            /* The last three may lie partly over those before. */
            const int32_t at = ((p->n - column) < 3) ? (p->n - 3) : column;
            int32_t i;
            for (i = 0; i < 3; ++i) {
                s.begin[i] = -(p->a_zero * int_matmul_dsp_column_s8(p, b_at + ((ptrdiff_t)(at + i) * p->b_column), x + ((ptrdiff_t)4 * i), x_end + i));
            }
            s.a = a + ((ptrdiff_t)batch * p->a_batch);
            s.y = y_at + at;
            s.second = p->a_row;
            s.y_second = p->y_row;
            s.pairs = p->m / 2;
            if (s.pairs > 0) {
                int_matmul_dsp_rows_s8(&s);
            }
            if ((p->m % 2) != 0) {
                s.a = a + ((ptrdiff_t)batch * p->a_batch) + ((ptrdiff_t)(p->m - 1) * p->a_row);
                s.second = 0;
                s.y_second = 0;
                s.pairs = 1;
                int_matmul_dsp_rows_s8(&s);
            }
        }
        tarn_int_clamp_s8(&p->requant, y_at, p->m, p->n, p->y_row);
    }
}

TARN_API void tarn_int_matmul_dsp_s8(const tarn_int_matmul_dsp_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y, int32_t *columns)
{
#if TARN_INT_DSP_ASM && !TARN_LESS_CODE
    if ((p->k <= INT_MATMUL_DSP_FEW) && (p->n >= 4)) {
        int_matmul_dsp_few_all_s8(p, a, b, y);
        return;
    }
#endif
    int_matmul_dsp_long_s8(p, a, b, y, columns);
}
