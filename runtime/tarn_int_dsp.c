/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp.h"

TARN_API int16_t *tarn_int_dsp_widen(int16_t *d, const int8_t *x, int32_t n)
{
    const int8_t *end = x + n;
#if TARN_INT_DSP_ASM
    do {
        uint32_t even;
        uint32_t odd;
        __asm__ volatile("ldr %0,[%2],#4\n\t"
                         "sxtb16 %1,%0,ror #8\n\t"
                         "sxtb16 %0,%0\n\t"
                         "strd %0,%1,[%3],#24"
                         : "=&r"(even), "=&r"(odd), "+r"(x), "+r"(d)
                         :
                         : "memory");
    } while (x != end);
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

/* The loops need nearly every register, which only a naked function gets from every compiler. */
#define TARN_INT_DSP_WEIGHTS                                                                              \
    "ldrd r6,r8,[r1],#8\n\t"                                                                              \
    "sxtb16 r7,r6,ror #8\n\tsxtb16 r6,r6\n\tsxtb16 r11,r8,ror #8\n\tsxtb16 r8,r8\n\t"
#define TARN_INT_DSP_PIXEL(a, b, at)                                                                      \
    "ldrd r9,r10,[r0,#" at "]\n\t"                                                                        \
    "smlad " a ",r6,r9," a "\n\tsmlad " a ",r7,r10," a "\n\t"                                             \
    "smlad " b ",r8,r9," b "\n\tsmlad " b ",r11,r10," b "\n\t"
/* From the constants in r6 to six sums; r0: x; the end of x stands at sp + 4. */
#define TARN_INT_DSP_SUMS                                                                                 \
    "ldrd r2,r5,[r6]\n\t"                                                                                \
    "mov r3,r2\n\tmov r4,r2\n\tmov r12,r5\n\tmov lr,r5\n"                                              \
    "2:\n\t" TARN_INT_DSP_WEIGHTS TARN_INT_DSP_PIXEL("r2", "r5", "0") TARN_INT_DSP_PIXEL("r3", "r12", "8") \
    TARN_INT_DSP_PIXEL("r4", "lr", "16") TARN_INT_DSP_WEIGHTS TARN_INT_DSP_PIXEL("r2", "r5", "24")        \
    TARN_INT_DSP_PIXEL("r3", "r12", "32") TARN_INT_DSP_PIXEL("r4", "lr", "40")                            \
    "ldr r6,[sp,#4]\n\tadds r0,#48\n\tcmp r0,r6\n\tbne 2b\n\t"
#define TARN_INT_DSP_FORM(a, m, c)                                                                        \
    "lsl " a "," a ",r0\n\tsmmla " a "," a "," m "," c "\n\ttst " a ",r11\n\tbeq 3f\n\t"
#define TARN_INT_DSP_LINE(a, m, c) "lsl " a "," a ",r0\n\tsmmla " a "," a "," m "," c "\n\t"
#define TARN_INT_DSP_SHIFT(a) "asr " a "," a ",r0\n\tssat " a ",#8," a "\n\t"

/* The same for the first pixel, or the first two: what is not there gets their sums. The way to the next pair, whose
 * constants are in r6, stands at sp + 76. */
#define TARN_INT_DSP_ROUND(to) "ldr r6,[sp,#4]\n\tadds r0,#48\n\tcmp r0,r6\n\tbne " to "\n\t"
#define TARN_INT_DSP_FEWER                                                                                \
    "7:\n\tldr r0,[sp]\n\tldrd r2,r5,[r6]\n\tldr r6,[sp,#16]\n\t"                        \
    "mov r3,r2\n\tmov r12,r5\n\tcmp r6,#0\n\tbeq 10f\n"                                                \
    "9:\n\t" TARN_INT_DSP_WEIGHTS TARN_INT_DSP_PIXEL("r2", "r5", "0") TARN_INT_DSP_PIXEL("r3", "r12", "8") \
    TARN_INT_DSP_WEIGHTS TARN_INT_DSP_PIXEL("r2", "r5", "24") TARN_INT_DSP_PIXEL("r3", "r12", "32")       \
    TARN_INT_DSP_ROUND("9b") "mov r4,r2\n\tmov lr,r5\n\tb 8b\n"                                         \
    "10:\n\t" TARN_INT_DSP_WEIGHTS TARN_INT_DSP_PIXEL("r2", "r5", "0") TARN_INT_DSP_WEIGHTS              \
    TARN_INT_DSP_PIXEL("r2", "r5", "24") TARN_INT_DSP_ROUND("10b")                                         \
    "mov r3,r2\n\tmov r12,r5\n\tmov r4,r2\n\tmov lr,r5\n\tb 8b"

__attribute__((naked)) TARN_API void tarn_int_dsp_block(const tarn_int_dsp_block_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\n\tsub sp,#84\n\tmov r12,sp\n\t"
            "ldm r0!,{r2-r11}\n\tstm r12!,{r2-r11}\n\tldm r0,{r2-r4}\n\tstm r12,{r2-r4}\n\t"
            "ldr r6,[sp,#20]\n\tadr.w r7,1f\n\tadr.w r8,7f\n\tcmp r6,#0\n\tit eq\n\tmoveq r7,r8\n\t"
            "orr r7,#1\n\tstr r7,[sp,#76]\n\tldr r6,[sp,#8]\n\tbx r7\n"
            "1:\n\tldr r0,[sp]\n\t" TARN_INT_DSP_SUMS
            "8:\n\tldr r6,[sp,#8]\n\tldrd r7,r8,[r6,#8]\n\tldrd r9,r10,[r6,#16]\n\tldrd r0,r11,[sp,#28]\n\t"
            "cmn r11,#1\n\tbne 5f\n\t" /* a mask of all bits: there are no zones */
            TARN_INT_DSP_LINE("r2", "r7", "r9") TARN_INT_DSP_LINE("r3", "r7", "r9") TARN_INT_DSP_LINE("r4", "r7", "r9")
            TARN_INT_DSP_LINE("r5", "r8", "r10") TARN_INT_DSP_LINE("r12", "r8", "r10")
            TARN_INT_DSP_LINE("lr", "r8", "r10")
            "6:\n\tldr r0,[sp,#36]\n\t"
            TARN_INT_DSP_SHIFT("r2") TARN_INT_DSP_SHIFT("r3") TARN_INT_DSP_SHIFT("r4") TARN_INT_DSP_SHIFT("r5")
            TARN_INT_DSP_SHIFT("r12") TARN_INT_DSP_SHIFT("lr")
            "ldr r0,[sp,#12]\n\tldrd r7,r8,[sp,#16]\n\t"
            "bfi r4,lr,#8,#24\n\tbfi r3,r12,#8,#24\n\tbfi r2,r5,#8,#24\n\t"
            "strh r4,[r0,r8]\n\tstrh r3,[r0,r7]\n\tstrh r2,[r0],#2\n"
            "4:\n\tadds r6,#24\n\tstrd r6,r0,[sp,#8]\n\tldr r7,[sp,#24]\n\tcmp r0,r7\n\tit ne\n\tldrne pc,[sp,#76]\n\t"
            "add sp,#84\n\tpop {r4-r11,pc}\n"
            "5:\n\tadd r6,sp,#52\n\tstm r6,{r2,r3,r4,r5,r12,lr}\n\tldr r6,[sp,#8]\n\t"
            TARN_INT_DSP_FORM("r2", "r7", "r9") TARN_INT_DSP_FORM("r3", "r7", "r9") TARN_INT_DSP_FORM("r4", "r7", "r9")
            TARN_INT_DSP_FORM("r5", "r8", "r10") TARN_INT_DSP_FORM("r12", "r8", "r10")
            TARN_INT_DSP_FORM("lr", "r8", "r10") "b 6b\n"
            "3:\n\tmov r4,r1\n\tmov r0,sp\n\tbl tarn_int_dsp_near\n\tmov r1,r4\n\t"
            "ldrd r6,r0,[sp,#8]\n\tadds r0,#2\n\tb 4b\n" TARN_INT_DSP_FEWER);
}

__attribute__((naked)) TARN_API void tarn_int_dsp_dot(tarn_int_dsp_block_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\n\tsub sp,#12\n\tldrd r2,r3,[r0]\n\tstr r0,[sp]\n\tstr r3,[sp,#4]\n\t"
            "ldr r6,[r0,#8]\n\tmov r0,r2\n\t" TARN_INT_DSP_SUMS
            "ldr r6,[sp]\n\tadds r6,#52\n\tstm r6,{r2,r3,r4,r5,r12,lr}\n\t"
            "add sp,#12\n\tpop {r4-r11,pc}");
}

#define TARN_INT_DSP_COLUMN(at, a, b)                                                                     \
    "ldrd r10,r11,[r1,#" at "]\n\tsmlad lr,r10," a ",lr\n\tsmlad lr,r11," b ",lr\n\t"
/* From three columns at r1 to the form's value in r10; the sum stays in the shifted lr. */
#define TARN_INT_DSP_POINT                                                                                \
    "ldrd r10,r11,[r1]\n\tsmlad lr,r10,r4,r12\n\tsmlad lr,r11,r5,lr\n\t"                                \
    TARN_INT_DSP_COLUMN("32", "r6", "r7") TARN_INT_DSP_COLUMN("64", "r8", "r9")                           \
    "add r1,r0\n\tldrd r10,r11,[sp]\n\tlsl lr,lr,r10\n\tsmmla r10,lr,r3,r11\n\t"

__attribute__((naked)) TARN_API void tarn_int_dsp_line3(const tarn_int_dsp_line *s TARN_UNUSED, const int8_t *w TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\n\tsub sp,#36\n\tmov r12,sp\n\t"
            "ldm r0!,{r2-r10}\n\tstm r12,{r2-r10}\n\t"
            "ldm r1,{r4,r6,r8}\n\tldm r0,{r0,r1,r2,r3,r12}\n\t"
            "sxtb16 r5,r4,ror #8\n\tsxtb16 r4,r4\n\tsxtb16 r7,r6,ror #8\n\tsxtb16 r6,r6\n\t"
            "sxtb16 r9,r8,ror #8\n\tsxtb16 r8,r8\n"
            "ldr lr,[sp,#8]\n\tcmn lr,#1\n\tbne 1f\n" /* no zones */
            "2:\n\t" TARN_INT_DSP_POINT
            "ldrd r11,lr,[sp,#12]\n\tasr r10,r10,r11\n\tssat r10,#8,r10\n\tstrb r10,[r2]\n\t"
            "ldr r11,[sp,#20]\n\tadd r2,lr\n\tcmp r2,r11\n\tbne 2b\n\tadd sp,#36\n\tpop {r4-r11,pc}\n"
            "1:\n\t" TARN_INT_DSP_POINT
            "ldr r11,[sp,#8]\n\ttst r10,r11\n\tbeq 3f\n\t"
            "ldr r11,[sp,#12]\n\tasr r10,r10,r11\n\tssat r10,#8,r10\n"
            "4:\n\tstrb r10,[r2]\n\tldrd r10,r11,[sp,#16]\n\tadd r2,r10\n\tcmp r2,r11\n\tbne 1b\n\t"
            "add sp,#36\n\tpop {r4-r11,pc}\n"
            "3:\n\tpush {r0-r3,r12,lr}\n\tsub sp,#8\n\tstr r10,[sp]\n\tldr r11,[sp,#32]\n\tasr r3,lr,r11\n\t"
            "add r11,sp,#56\n\tldm r11,{r0,r1,r2}\n\tbl tarn_requant_near\n\tmov r10,r0\n\t"
            "add sp,#8\n\tpop {r0-r3,r12,lr}\n\tb 4b");
}

__attribute__((naked)) TARN_API void tarn_int_dsp_columns(const tarn_int_dsp_lines *s TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\n\tldm r0,{r0-r7}\n"
            "1:\n\tldr r8,[r0]\n\tldr r9,[r1]\n\tldr r10,[r2]\n\tadd r0,r3\n\tadd r1,r4\n\tadd r2,r5\n\t"
            "sxtb16 r11,r8,ror #8\n\tsxtb16 r8,r8\n\tsxtb16 r12,r9,ror #8\n\tsxtb16 r9,r9\n\t"
            "sxtb16 lr,r10,ror #8\n\tsxtb16 r10,r10\n\t"
            "strd r8,r9,[r6],#8\n\tstrh r10,[r6,#-6]\n\tstrd r11,r12,[r6],#8\n\tstrh lr,[r6,#-6]\n\t"
            "pkhtb r8,r10,r8,asr #16\n\tasr r9,r9,#16\n\tpkhtb r11,lr,r11,asr #16\n\tasr r12,r12,#16\n\t"
            "strd r8,r9,[r6],#8\n\tstrd r11,r12,[r6],#8\n\tcmp r6,r7\n\tbne 1b\n\t"
            "pop {r4-r11,pc}");
}

#define TARN_INT_DSP_ROW(w, sum)                                                                          \
    "sxtb16 r11," w "\n\tsxtb16 " w "," w ",ror #8\n\t"                                                   \
    "smlad " sum ",r11,r9," sum "\n\tsmlad " sum "," w ",r10," sum "\n\t"

__attribute__((naked)) TARN_API void tarn_int_dsp_dense(const int8_t *w TARN_UNUSED, const int8_t *x TARN_UNUSED,
                                                        const int8_t *end TARN_UNUSED, int32_t *sums TARN_UNUSED)
{
    __asm__("push {r2-r11,lr}\n\t"
            "mov lr,r1\n\tmov r1,r0\n\tmov r12,r2\n\t"
            "ldm r3,{r2-r5}\n"
            "1:\n\t"
            "ldm r1!,{r0,r6,r7,r8}\n\tldr r9,[lr],#4\n\t"
            "sxtb16 r10,r9,ror #8\n\tsxtb16 r9,r9\n\t" TARN_INT_DSP_ROW("r0", "r2") TARN_INT_DSP_ROW("r6", "r3")
            TARN_INT_DSP_ROW("r7", "r4") TARN_INT_DSP_ROW("r8", "r5")
            "cmp lr,r12\n\tbne 1b\n\t"
            "ldr r6,[sp,#4]\n\tstm r6,{r2-r5}\n\t"
            "pop {r2-r11,pc}");
}

#define TARN_INT_DSP_TAP                                                                                  \
    "ldr r7,[r1],#4\n\tldr r9,[r0],#4\n\tldr r7,[r7,r3]\n\t"                                              \
    "sxtb16 r10,r9,ror #8\n\tsxtb16 r9,r9\n\tsxtb16 r8,r7,ror #8\n\tsxtb16 r7,r7\n\t"                     \
    "smlabb r4,r7,r9,r4\n\tsmlatt r6,r7,r9,r6\n\tsmlabb r5,r8,r10,r5\n\tsmlatt r12,r8,r10,r12\n\t"

__attribute__((naked)) TARN_API void tarn_int_dsp_depthwise(const int8_t *w TARN_UNUSED,
                                                            const int8_t *const *taps TARN_UNUSED,
                                                            const int8_t *const *end TARN_UNUSED,
                                                            int32_t channel TARN_UNUSED, int32_t *sums TARN_UNUSED)
{
    __asm__("push {r4-r10,lr}\n\t"
            "ldr lr,[sp,#32]\n\t"
            "ldm lr,{r4,r5,r6,r12}\n"
            "1:\n\t" TARN_INT_DSP_TAP TARN_INT_DSP_TAP TARN_INT_DSP_TAP
            "cmp r1,r2\n\tbne 1b\n\t"
            "stm lr,{r4,r5,r6,r12}\n\t"
            "pop {r4-r10,pc}");
}

#else

TARN_API void tarn_int_dsp_dot(tarn_int_dsp_block_state *s, const int8_t *w)
{
    const int16_t *x = s->x;
    int32_t i;
    for (i = 0; i < 6; ++i) {
        s->sums[i] = s->q[i / 3];
    }
    do {
        for (i = 0; i < 3; ++i) {
            s->sums[i] += w[0] * x[0] + w[2] * x[1] + w[1] * x[2] + w[3] * x[3];
            s->sums[3 + i] += w[4] * x[0] + w[6] * x[1] + w[5] * x[2] + w[7] * x[3];
            x += 4;
        }
        w += 8;
    } while (x != s->end);
}

TARN_API void tarn_int_dsp_block(const tarn_int_dsp_block_state *s, const int8_t *w)
{
    tarn_int_dsp_block_state state = *s;
    do {
        tarn_int_dsp_dot(&state, w);
        tarn_int_dsp_near(&state);
        state.q += 6;
        state.y += 2;
        w += 2 * (state.end - state.x) / 3;
    } while (state.y != state.y_end);
}

TARN_API void tarn_int_dsp_line3(const tarn_int_dsp_line *s, const int8_t *w)
{
    const int16_t *x = s->x;
    int8_t *y = s->y;
    do {
        int32_t acc = s->begin;
        int32_t t;
        int32_t i;
        for (i = 0; i < 3; ++i) {
            acc += w[4 * i] * x[16 * i] + w[4 * i + 2] * x[16 * i + 1] + w[4 * i + 1] * x[16 * i + 2] +
                   w[4 * i + 3] * x[16 * i + 3];
        }
        t = s->c + tarn_mulhi_s32((int32_t)((uint32_t)acc << s->pre), s->m);
        if ((t & s->mask) == 0) {
            t = tarn_requant_near(s->p, s->exceptions, s->channel, acc, t);
        } else {
            t = tarn_requant_clamp(s->p, t >> s->post);
        }
        *y = (int8_t)t;
        y += s->pitch;
        x += s->stride / 2;
    } while (y != s->y_end);
}

TARN_API void tarn_int_dsp_columns(const tarn_int_dsp_lines *s)
{
    const int8_t *a = s->a;
    const int8_t *b = s->b;
    const int8_t *c = s->c;
    int16_t *d = s->d;
    do {
        int32_t i;
        for (i = 0; i < 4; ++i) {
            d[0] = a[i];
            d[1] = c[i];
            d[2] = b[i];
            d[3] = 0;
            d += 4;
        }
        a += s->a_step;
        b += s->b_step;
        c += s->c_step;
    } while (d != s->end);
}

TARN_API void tarn_int_dsp_dense(const int8_t *w, const int8_t *x, const int8_t *end, int32_t *sums)
{
    do {
        int32_t i;
        for (i = 0; i < 4; ++i) {
            sums[i] += w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] * x[3];
            w += 4;
        }
        x += 4;
    } while (x != end);
}

TARN_API void tarn_int_dsp_depthwise(const int8_t *w, const int8_t *const *taps, const int8_t *const *end,
                                     int32_t channel, int32_t *sums)
{
    do {
        const int8_t *x = *taps++ + channel;
        int32_t i;
        for (i = 0; i < 4; ++i) {
            sums[i] += w[i] * x[i];
        }
        w += 4;
    } while (taps != end);
}

#endif

#if TARN_INT_DSP_ASM
__attribute__((used)) /* tarn_int_dsp_block() calls it where the compiler does not see it */
#endif
TARN_API void tarn_int_dsp_near(const tarn_int_dsp_block_state *s)
{
    const int32_t step[3] = {0, s->second, s->third};
    const int32_t channel = (int32_t)(s->y - s->y_first);
    int32_t pixel = 2;
    /* Pixels that are not there lie on the first, which comes last. */
    do {
        int32_t o;
        for (o = 0; o < 2; ++o) {
            s->y[step[pixel] + o] =
                (int8_t)tarn_requant(s->p, s->exceptions, channel + o, s->sums[3 * o + pixel], s->q[2 + o], s->q[4 + o]);
        }
    } while (--pixel >= 0);
}
