/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp_block.h"

#if TARN_INT_DSP_ASM

/* Four codes in %0; the next four by way of %1. */
#define TARN_INT_DSP_WIDER "sxtb16 %1,%0,ror #8\n\tsxtb16 %0,%0\n\tstrd %0,%1,[%3],#24\n\t"

#endif

TARN_API int16_t *tarn_int_dsp_widen(int16_t *d, const int8_t *x, int32_t n)
{
    const int8_t *end = x + n;
#if TARN_INT_DSP_ASM
    uint32_t even;
    uint32_t odd;
#if !TARN_LESS_CODE
    const int8_t *most = x + (n & ~15);
    while (x != most) {
        __asm__ volatile("ldr %0,[%2]\n\t" TARN_INT_DSP_WIDER "ldr %0,[%2,#4]\n\t" TARN_INT_DSP_WIDER
                         "ldr %0,[%2,#8]\n\t" TARN_INT_DSP_WIDER "ldr %0,[%2,#12]\n\t" TARN_INT_DSP_WIDER "adds %2,#16"
                         : "=&r"(even), "=&r"(odd), "+r"(x), "+r"(d)
                         :
                         : "memory", "cc");
    }
#endif
    while (x != end) {
        __asm__ volatile("ldr %0,[%2],#4\n\t" TARN_INT_DSP_WIDER : "=&r"(even), "=&r"(odd), "+r"(x), "+r"(d) : : "memory");
    }
#else
    do {
        d[0] = x[0];
        d[1] = x[2];
        d[2] = x[1];
        d[3] = x[3];
        d += 12;
        x += 4;
    } while (x != end);
#endif
    return d;
}

#if TARN_INT_DSP_ASM

#define TARN_INT_DSP_WEIGHTS                                                                              \
    "ldrd r6,r8,[r1],#8\n\t"                                                                              \
    "sxtb16 r7,r6,ror #8\n\tsxtb16 r6,r6\n\tsxtb16 r11,r8,ror #8\n\tsxtb16 r8,r8\n\t"
#define TARN_INT_DSP_PIXEL(a, b, at)                                                                      \
    "ldrd r9,r10,[r0,#" at "]\n\t"                                                                        \
    "smlad " a ",r6,r9," a "\n\tsmlad " a ",r7,r10," a "\n\t"                                             \
    "smlad " b ",r8,r9," b "\n\tsmlad " b ",r11,r10," b "\n\t"
/* Eight elements of six sums, x from r0 + `at` on: 160 bytes of code. */
#define TARN_INT_DSP_EIGHT(at)                                                                            \
    TARN_INT_DSP_WEIGHTS TARN_INT_DSP_PIXEL("r2", "r5", at) TARN_INT_DSP_PIXEL("r3", "r12", at "+8")      \
    TARN_INT_DSP_PIXEL("r4", "lr", at "+16") TARN_INT_DSP_WEIGHTS TARN_INT_DSP_PIXEL("r2", "r5", at "+24") \
    TARN_INT_DSP_PIXEL("r3", "r12", at "+32") TARN_INT_DSP_PIXEL("r4", "lr", at "+40")
/* On to x from `at` on. Its end less 8 stands at sp + 4. */
#define TARN_INT_DSP_NEXT(at, label) "adds r0,#" at "\n\tldr r6,[sp,#4]\n\tcmp r0,r6\n\tbne " label "\n\t"
#if TARN_LESS_CODE
#define TARN_INT_DSP_AIM ""
#define TARN_INT_DSP_AT ""
#define TARN_INT_DSP_EIGHTS "2:\n\t" TARN_INT_DSP_EIGHT("8") TARN_INT_DSP_NEXT("48", "2b")
#else
/* Thirty-two elements a turn. The first begins as many eights in as the turns are longer than x, and r0 as far before it: x is a
 * multiple of 48 bytes long, so that the two bits of its length from 16 on tell how many. Where that is stands at sp + 80: the way, the 18
 * bytes of code from there to the turn, and as many times 160. */
#define TARN_INT_DSP_AIM                                                                                  \
    "ldr r6,[sp,#4]\n\tsubs r6,r6,r0\n\tubfx r6,r6,#4,#2\n\tadd r12,r6,r6,lsl #1\n\t"                     \
    "sub r0,r0,r12,lsl #4\n\tstr r0,[sp]\n\tadd r6,r6,r6,lsl #2\n\tlsls r6,r6,#5\n\tadds r6,#18\n\t"
#define TARN_INT_DSP_AT "add r6,lr\n\tstr r6,[sp,#80]\n\t"
#define TARN_INT_DSP_EIGHTS                                                                               \
    "ldr.w pc,[sp,#80]\n"                                                                                 \
    "2:\n\t.irp at,8,56,104,152\n\t" TARN_INT_DSP_EIGHT("\\at") ".endr\n\t" TARN_INT_DSP_NEXT("192", "2b")
#endif
/* From the constants in r0 to six sums. */
#define TARN_INT_DSP_SUMS                                                                                 \
    "ldrd r2,r5,[r0]\n\tldr.n r0,[sp]\n\tmov r3,r2\n\tmov r4,r2\n\tmov r12,r5\n\tmov lr,r5\n\t" TARN_INT_DSP_EIGHTS
#define TARN_INT_DSP_LINE(a, m, c) "lsl " a "," a ",r0\n\tsmmla " a "," a "," m "," c "\n\t"
#define TARN_INT_DSP_LINES                                                                                \
    TARN_INT_DSP_LINE("r2", "r7", "r9") TARN_INT_DSP_LINE("r3", "r7", "r9") TARN_INT_DSP_LINE("r4", "r7", "r9") \
    TARN_INT_DSP_LINE("r5", "r8", "r10") TARN_INT_DSP_LINE("r12", "r8", "r10") TARN_INT_DSP_LINE("lr", "r8", "r10")
/* Back to the constants, for those of the form. */
#define TARN_INT_DSP_CONSTANTS "ldr r6,[sp,#8]\n\tldrd r7,r8,[r6,#8]\n\tldrd r9,r10,[r6,#16]\n\t"
#define TARN_INT_DSP_SHIFT(a) "asr " a "," a ",r10\n\tssat " a ",#8," a "\n\t"

/* The way to a pair of outputs, whose constants are in r0, stands at sp + 76. It is the return address of the bl before it, which
 * is right wherever the function lies: adr would take it to be aligned to four, and with -Os it need not be. */
#define TARN_INT_DSP_WAY "13:\n\tstr lr,[sp,#76]\n\tldr r0,[sp,#8]\n\t" TARN_INT_DSP_AT "bx lr\n"

/* The same for the first pixel and a second that may not be there: the third gets the first one's sums. */
#define TARN_INT_DSP_FEWER                                                                                \
    "7:\n\tbl 13f\n\tldrd r2,r5,[r0]\n\tldr r0,[sp]\n\tmov r3,r2\n\tmov r12,r5\n"                                \
    "9:\n\t" TARN_INT_DSP_WEIGHTS TARN_INT_DSP_PIXEL("r2", "r5", "8") TARN_INT_DSP_PIXEL("r3", "r12", "16") \
    TARN_INT_DSP_WEIGHTS TARN_INT_DSP_PIXEL("r2", "r5", "32") TARN_INT_DSP_PIXEL("r3", "r12", "40")       \
    TARN_INT_DSP_NEXT("48", "9b") "\n"                                                                    \
    "12:\n\tmov r4,r2\n\tmov lr,r5\n\tb 8b\n"

/* And for a single pixel. */
#define TARN_INT_DSP_SINGLE                                                                               \
    "10:\n\tbl 13b\n\tldrd r2,r5,[r0]\n\tldr r0,[sp]\n"                                                           \
    "11:\n\t" TARN_INT_DSP_WEIGHTS TARN_INT_DSP_PIXEL("r2", "r5", "8")                                   \
    TARN_INT_DSP_WEIGHTS TARN_INT_DSP_PIXEL("r2", "r5", "32")                                             \
    TARN_INT_DSP_NEXT("48", "11b") "mov r3,r2\n\tmov r12,r5\n\tb 12b"

TARN_NAKED TARN_API void tarn_int_dsp_block(const tarn_int_dsp_block_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\n\tsub sp,#84\n\tmov r12,sp\n\t"
            "ldm r0!,{r2-r11}\n\tsubs r2,#8\n\tsubs r3,#8\n\tstm r12!,{r2-r11}\n\tldm r0,{r2-r4}\n\tstm r12,{r2-r4}\n\t"
            "ldrd r6,r9,[sp,#16]\n\tldr r0,[sp]\n\tcmp r6,#0\n\tbeq.w 10f\n\tcmp r9,#0\n\tbeq.w 7f\n\t" TARN_INT_DSP_AIM
            "bl 13f\n\t" TARN_INT_DSP_SUMS
            "8:\n\tldrd r0,r11,[sp,#28]\n\t"
            "cmn r11,#1\n\tbne 5f\n\t" /* a mask of all bits: there are no zones */
            TARN_INT_DSP_CONSTANTS TARN_INT_DSP_LINES
            "6:\n\tadd r0,sp,#8\n\tldm r0,{r0,r6,r7,r8,r9}\n\tldr r10,[sp,#36]\n\t"
            TARN_INT_DSP_SHIFT("r2") TARN_INT_DSP_SHIFT("r3") TARN_INT_DSP_SHIFT("r4") TARN_INT_DSP_SHIFT("r5")
            TARN_INT_DSP_SHIFT("r12") TARN_INT_DSP_SHIFT("lr")
            "bfi r4,lr,#8,#24\n\tbfi r3,r12,#8,#24\n\tbfi r2,r5,#8,#24\n\t"
            "strh r4,[r6,r8]\n\tstrh r3,[r6,r7]\n\tstrh r2,[r6],#2\n"
            "4:\n\tadds r0,#24\n\tstrd r0,r6,[sp,#8]\n\tcmp r6,r9\n\tit ne\n\tldrne pc,[sp,#76]\n\t"
            "add sp,#84\n\tpop {r4-r11,pc}\n"
            "5:\n\tadd r6,sp,#52\n\tstm r6,{r2,r3,r4,r5,r12,lr}\n\t" TARN_INT_DSP_CONSTANTS
            TARN_INT_DSP_LINES
            "tst r2,r11\n\titttt ne\n\ttstne r3,r11\n\ttstne r4,r11\n\ttstne r5,r11\n\ttstne r12,r11\n\t"
            "it ne\n\ttstne lr,r11\n\tbne 6b\n"
            "3:\n\tmov r4,r1\n\tmov r0,sp\n\tbl %c0\n\tmov r1,r4\n\t"
            "ldrd r0,r6,[sp,#8]\n\tldr r9,[sp,#24]\n\tadds r6,#2\n\tb 4b\n" TARN_INT_DSP_FEWER TARN_INT_DSP_WAY TARN_INT_DSP_SINGLE
            : : "i"(tarn_int_dsp_near));
}

#else

TARN_API void tarn_int_dsp_block(const tarn_int_dsp_block_state *state, const int8_t *w)
{
    const int8_t *w_at = w;
    tarn_int_dsp_block_state s = *state;
    const int32_t pixels = (s.second == 0) ? 1 : (s.third == 0) ? 2 : 3;
    do {
        const int16_t *x = s.x;
        int32_t i;
        for (i = 0; i < 6; ++i) {
            s.sums[i] = s.q[i / 3];
        }
        do {
            for (i = 0; i < pixels; ++i) {
                s.sums[i] += (w_at[0] * x[(ptrdiff_t)4 * i]) + (w_at[2] * x[(4 * i) + 1]) + (w_at[1] * x[(4 * i) + 2]) + (w_at[3] * x[(4 * i) + 3]);
                s.sums[3 + i] += (w_at[4] * x[(ptrdiff_t)4 * i]) + (w_at[6] * x[(4 * i) + 1]) + (w_at[5] * x[(4 * i) + 2]) + (w_at[7] * x[(4 * i) + 3]);
            }
            w_at += 8;
            x += 12;
        } while (x != s.end);
        tarn_int_dsp_near(&s);
        s.q += 6;
        s.y += 2;
    } while (s.y != s.y_end);
}

#endif

TARN_SMALL TARN_API void tarn_int_dsp_near(const tarn_int_dsp_block_state *s)
{
    const int32_t step[3] = {0, s->second, s->third};
    const int32_t channel = s->outputs - (int32_t)(s->y_end - s->y);
    int32_t pixel = 2;
    /* Pixels that are not there lie on the first, which comes last. */
    do {
        int32_t o;
        for (o = 0; o < 2; ++o) {
            s->y[step[pixel] + o] =
                (int8_t)tarn_requant(s->p, s->exceptions, channel + o, s->sums[(3 * o) + pixel], s->q[2 + o], s->q[4 + o]);
        }
    } while (--pixel >= 0);
}
