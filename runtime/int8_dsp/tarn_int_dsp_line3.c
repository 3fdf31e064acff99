/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp_line3.h"

#if TARN_INT_DSP_ASM

#define TARN_INT_DSP_COLUMN(at, a, b)                                                                     \
    "ldrd r10,r11,[r1,#" at "]\n\tsmlad lr,r10," a ",lr\n\tsmlad lr,r11," b ",lr\n\t"
/* From three columns at r1 to the form's value in r10; the sum stays in the shifted lr. */
#define TARN_INT_DSP_POINT                                                                                \
    "ldrd r10,r11,[r1]\n\tsmlad lr,r10,r4,r3\n\tsmlad lr,r11,r5,lr\n\t"                                \
    TARN_INT_DSP_COLUMN("32", "r6", "r7") TARN_INT_DSP_COLUMN("64", "r8", "r9")                           \
    "add r1,r0\n\tldrd r10,r11,[sp,#36]\n\tlsl lr,lr,r10\n\tsmmla r10,lr,r12,r11\n\t"

/* The columns at r1 + `at` meet the weights of both sums, the second of which begins here. */
#define TARN_INT_DSP_SHARED(at, a, b, c, d, begin)                                                        \
    TARN_INT_DSP_COLUMN(at, a, b) "smlad r12,r10," c "," begin "\n\tsmlad r12,r11," d ",r12\n\t"
#define TARN_INT_DSP_SECOND(at, a, b) "ldrd r10,r11,[r1,#" at "]\n\tsmlad r12,r10," a ",r12\n\tsmlad r12,r11," b ",r12\n\t"
/* Two pixels, whose sums are lr and r12, to the form's values in r10 and r11. r0: m. Their columns follow each other, or lie one apart. */
#define TARN_INT_DSP_FIRST "ldrd r10,r11,[r1]\n\tsmlad lr,r10,r4,r3\n\tsmlad lr,r11,r5,lr\n\t"
#define TARN_INT_DSP_FORM_OF_TWO                                                                          \
    "ldrd r10,r11,[sp,#36]\n\tlsl lr,lr,r10\n\tlsl r12,r12,r10\n\tsmmla r10,lr,r0,r11\n\tsmmla r11,r12,r0,r11\n\t"
#define TARN_INT_DSP_TWO_NEAR                                                                             \
    TARN_INT_DSP_FIRST TARN_INT_DSP_SHARED("32", "r6", "r7", "r4", "r5", "r3")                            \
    TARN_INT_DSP_SHARED("64", "r8", "r9", "r6", "r7", "r12") TARN_INT_DSP_SECOND("96", "r8", "r9") TARN_INT_DSP_FORM_OF_TWO
#define TARN_INT_DSP_TWO_APART                                                                            \
    TARN_INT_DSP_FIRST TARN_INT_DSP_COLUMN("32", "r6", "r7") TARN_INT_DSP_SHARED("64", "r8", "r9", "r4", "r5", "r3") \
    TARN_INT_DSP_SECOND("96", "r6", "r7") TARN_INT_DSP_SECOND("128", "r8", "r9") TARN_INT_DSP_FORM_OF_TWO
/* Writes their codes; whether there are no more of them. r3: what sums begin with. */
#define TARN_INT_DSP_TWO_CODES(step)                                                                      \
    "ldrd r12,lr,[sp,#4]\n\tasr r10,r10,r12\n\tssat r10,#8,r10\n\tasr r11,r11,r12\n\tssat r11,#8,r11\n\t" \
    "strb r10,[r2]\n\tstrb r11,[r2,lr]\n\tadd r2,r2,lr,lsl #1\n\tadds r1,#" step "\n\tldrd r10,r3,[sp,#16]\n\tcmp r2,r10\n\t"
/* Pairs of pixels whose columns have the step `twice`, up to the first in a zone; the other pixels by the loop at `one`. */
#define TARN_INT_DSP_TWOS(two, twice, once, one)                                                          \
    "str r3,[sp,#20]\n\tmov r0,r12\n"                                                                    \
    "7:\n\t" two "ldr r3,[sp]\n\ttst r10,r3\n\tit ne\n\ttstne r11,r3\n\tbeq 8f\n\t" TARN_INT_DSP_TWO_CODES(twice) "bne 7b\n\t" \
    "ldr r10,[sp,#12]\n\tcmp r2,r10\n\tbeq.w 6b\n"                                                      \
    "8:\n\tldr r3,[sp,#20]\n\tmov r12,r0\n\tmovs r0,#" once "\n\tb.w " one "\n"
/* Without zones, and of stride 2. Less code looks for zones nevertheless, and has pairs of stride 1 only. */
#if TARN_LESS_CODE
#define TARN_INT_DSP_PLAIN_TWOS ""
#define TARN_INT_DSP_TWOS_APART ""
#define TARN_INT_DSP_WAYS ",(10f-20b)/2,(10f-20b)/2\n"
#else
#define TARN_INT_DSP_PLAIN_TWOS                                                                           \
    "17:\n\tstr r3,[sp,#20]\n\tmov r0,r12\n7:\n\t" TARN_INT_DSP_TWO_NEAR TARN_INT_DSP_TWO_CODES("64") "bne 7b\n\t" \
    "ldr r10,[sp,#12]\n\tcmp r2,r10\n\tbeq 6f\n\tmov r12,r0\n\tmovs r0,#32\n"
#define TARN_INT_DSP_TWOS_APART "11:\n\t" TARN_INT_DSP_TWOS(TARN_INT_DSP_TWO_APART, "128", "64", "1b")
#define TARN_INT_DSP_WAYS ",(17f-20b)/2,(10f-20b)/2,(11f-20b)/2,(11f-20b)/2\n"
#endif

/* On the stack: mask, post, pitch, y_end, y_pairs, begin, p, exceptions, channel_end, pre, c, q, w, x_back, y_back, y_last, way. The way:
 * 0 for pixels one by one, 2 and 4 for those before y_pairs two at a time, of stride 1 and 2; 1 more where there are zones, which is a mask
 * of other than all bits. */
TARN_NAKED TARN_API void tarn_int_dsp_line3(const tarn_int_dsp_line *s TARN_UNUSED, const int32_t *w TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\n\tsub sp,#68\n\tmov r12,sp\n\t"
            "ldm r0!,{r2-r11}\n\tstm r12,{r2-r11}\n\tstr r1,[sp,#48]\n\tmovs r1,#0\n\tcmn r2,#1\n\tit ne\n\tmovne r1,#1\n\tmov r12,r6\n\t"
            "mov r11,r1\n\tldm r0,{r0,r1,r2,r5,r6,r7,r8}\n\tcmp r2,r12\n\tit ne\n\taddne r11,r11,r0,lsr #4\n\tstr r11,[sp,#64]\n\t"
            "str r5,[sp,#44]\n\tstrd r6,r7,[sp,#52]\n\tstr r8,[sp,#60]\n"
            "5:\n\tldrd r5,r11,[sp,#44]\n\tldm r5!,{r3,r12,lr}\n\tldm r11!,{r4,r6,r8}\n\tstrd r5,r11,[sp,#44]\n\tstr lr,[sp,#40]\n\t"
            "sxtb16 r5,r4,ror #8\n\tsxtb16 r4,r4\n\tsxtb16 r7,r6,ror #8\n\tsxtb16 r6,r6\n\t"
            "sxtb16 r9,r8,ror #8\n\tsxtb16 r8,r8\n\tldr r10,[sp,#64]\n\ttbh [pc,r10,lsl #1]\n"
            "20:\n\t.short (2f-20b)/2,(1f-20b)/2" TARN_INT_DSP_WAYS TARN_INT_DSP_PLAIN_TWOS
            "2:\n\t" TARN_INT_DSP_POINT
            "ldrd r11,lr,[sp,#4]\n\tasr r10,r10,r11\n\tssat r10,#8,r10\n\tstrb r10,[r2]\n\t"
            "ldr r11,[sp,#12]\n\tadd r2,lr\n\tcmp r2,r11\n\tbne 2b\n"
            "6:\n\tldrd r10,r11,[sp,#52]\n\tsubs r1,r1,r10\n\tsubs r2,r2,r11\n\tldrd r10,r11,[sp,#12]\n\tadd r10,#1\n\tadd r11,#1\n\t"
            "strd r10,r11,[sp,#12]\n\tldr r3,[sp,#60]\n\tcmp r10,r3\n\tbne.w 5b\n\tadd sp,#68\n\tpop {r4-r11,pc}\n"
            "1:\n\t" TARN_INT_DSP_POINT
            "ldr r11,[sp]\n\ttst r10,r11\n\tbeq 3f\n\t"
            "ldr r11,[sp,#4]\n\tasr r10,r10,r11\n\tssat r10,#8,r10\n"
            "4:\n\tstrb r10,[r2]\n\tldrd r10,r11,[sp,#8]\n\tadd r2,r10\n\tcmp r2,r11\n\tbne 1b\n\tb 6b\n"
            "10:\n\t" TARN_INT_DSP_TWOS(TARN_INT_DSP_TWO_NEAR, "64", "32", "1b") TARN_INT_DSP_TWOS_APART
            "3:\n\tpush {r0-r3,r12,lr}\n\tsub sp,#8\n\tstrd r10,r12,[sp]\n\tldr r11,[sp,#68]\n\tasr r3,lr,r11\n\t"
            "ldrd r0,r1,[sp,#56]\n\tldr r2,[sp,#64]\n\tldr r11,[sp,#92]\n\tsub r2,r11\n\tldr r11,[sp,#44]\n\tadd r2,r11\n\t"
            "bl %c0\n\tmov r10,r0\n\tadd sp,#8\n\tpop {r0-r3,r12,lr}\n\tb.w 4b"
            : : "i"(tarn_requant_near));
}

/* From codes of the three lines in r8, r9 and r10. */
#define TARN_INT_DSP_FOUR_COLUMNS                                                                         \
    "sxtb16 r11,r8,ror #8\n\tsxtb16 r8,r8\n\tsxtb16 r12,r9,ror #8\n\tsxtb16 r9,r9\n\t"                    \
    "sxtb16 lr,r10,ror #8\n\tsxtb16 r10,r10\n\t"                                                        \
    "strd r8,r9,[r6],#8\n\tstrh r10,[r6,#-6]\n\tstrd r11,r12,[r6],#8\n\tstrh lr,[r6,#-6]\n\t"           \
    "pkhtb r8,r10,r8,asr #16\n\tasr r9,r9,#16\n\tpkhtb r11,lr,r11,asr #16\n\tasr r12,r12,#16\n\t"       \
    "strd r8,r9,[r6],#8\n\tstrd r11,r12,[r6],#8\n\tcmp r6,r7\n\tbne "
/* Lines that all are there have one step. */
TARN_NAKED TARN_API void tarn_int_dsp_columns(const tarn_int_dsp_lines *s TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\n\tldr r8,[r0,#32]\n\tldm r0,{r0-r7}\n\t"
            "cmp r3,#0\n\tit ne\n\taddne r0,r8\n\tcmp r4,#0\n\tit ne\n\taddne r1,r8\n\tcmp r5,#0\n\tit ne\n\taddne r2,r8\n\t"
            "cmp r3,r4\n\tit eq\n\tcmpeq r4,r5\n\tbne 1f\n\tsubs r1,r1,r0\n\tsubs r2,r2,r0\n"
            "2:\n\tldr r8,[r0]\n\tldr r9,[r0,r1]\n\tldr r10,[r0,r2]\n\tadd r0,r3\n\t" TARN_INT_DSP_FOUR_COLUMNS "2b\n\t"
            "pop {r4-r11,pc}\n"
            "1:\n\tldr r8,[r0]\n\tldr r9,[r1]\n\tldr r10,[r2]\n\tadd r0,r3\n\tadd r1,r4\n\tadd r2,r5\n\t" TARN_INT_DSP_FOUR_COLUMNS "1b\n\t"
            "pop {r4-r11,pc}");
}

#else

TARN_API void tarn_int_dsp_line3(const tarn_int_dsp_line *s, const int32_t *w)
{
    const int8_t *w_at = (const int8_t *)w;
    int32_t channel;
    for (channel = 0; channel < (int32_t)(s->y_last - s->y_end); ++channel) {
        const int32_t *q = s->q + ((ptrdiff_t)3 * channel);
        const int16_t *x = s->x + ((ptrdiff_t)4 * channel);
        int8_t *y = s->y + channel;
        do {
            int32_t acc = q[0];
            int32_t t;
            int32_t i;
            for (i = 0; i < 3; ++i) {
                acc += (w_at[(ptrdiff_t)4 * i] * x[(ptrdiff_t)16 * i]) + (w_at[(4 * i) + 2] * x[(16 * i) + 1]) + (w_at[(4 * i) + 1] * x[(16 * i) + 2]) +
                       (w_at[(4 * i) + 3] * x[(16 * i) + 3]);
            }
            t = q[2] + tarn_mulhi_s32((int32_t)((uint32_t)acc << s->pre), q[1]);
            if ((t & s->mask) == 0) {
                t = tarn_requant_near(s->p, s->exceptions, s->channel_end - (int32_t)(s->y_last - s->y_end) + channel, acc, t, q[1]);
            } else {
                t = tarn_requant_clamp(s->p, t >> s->post);
            }
            *y = (int8_t)t;
            y += s->pitch;
            x += s->stride / 2;
        } while (y != (s->y_end + channel));
        w_at += 12;
    }
}

TARN_API void tarn_int_dsp_columns(const tarn_int_dsp_lines *s)
{
    const int8_t *a = s->from[0] + ((s->step[0] != 0) ? s->channel : 0);
    const int8_t *b = s->from[1] + ((s->step[1] != 0) ? s->channel : 0);
    const int8_t *c = s->from[2] + ((s->step[2] != 0) ? s->channel : 0);
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
        a += s->step[0];
        b += s->step[1];
        c += s->step[2];
    } while (d != s->end);
}

#endif
