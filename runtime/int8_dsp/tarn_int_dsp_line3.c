/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp_line3.h"

#if TARN_INT_DSP_ASM

/* ISO C99 strings end at 4095 characters, hence no white space. */
#define TARN_INT_DSP_COLUMN(at, a, b)                                                                     \
    "ldrd r10,r11,[r1,#" at "]\nsmlad lr,r10," a ",lr\nsmlad lr,r11," b ",lr\n"
/* From three columns at r1 to the form's value in r10; the sum stays in the shifted lr. */
#define TARN_INT_DSP_POINT                                                                                \
    "ldrd r10,r11,[r1]\nsmlad lr,r10,r4,r3\nsmlad lr,r11,r5,lr\n"                                \
    TARN_INT_DSP_COLUMN("32", "r6", "r7") TARN_INT_DSP_COLUMN("64", "r8", "r9")                           \
    "add r1,r0\nldrd r10,r11,[sp,#36]\nlsl lr,lr,r10\nsmmla r10,lr,r12,r11\n"

/* The columns at r1 + `at` meet the weights of both sums, the second of which begins here. */
#define TARN_INT_DSP_SHARED(at, a, b, c, d, begin)                                                        \
    TARN_INT_DSP_COLUMN(at, a, b) "smlad r12,r10," c "," begin "\nsmlad r12,r11," d ",r12\n"
#define TARN_INT_DSP_SECOND(at, a, b) "ldrd r10,r11,[r1,#" at "]\nsmlad r12,r10," a ",r12\nsmlad r12,r11," b ",r12\n"
/* Two pixels, whose sums are lr and r12, to the form's values in r10 and r11. r0: m. Their columns follow each other, or lie one apart. */
#define TARN_INT_DSP_FIRST "ldrd r10,r11,[r1]\nsmlad lr,r10,r4,r3\nsmlad lr,r11,r5,lr\n"
#define TARN_INT_DSP_FORM_OF_TWO                                                                          \
    "ldrd r10,r11,[sp,#36]\nlsl lr,lr,r10\nlsl r12,r12,r10\nsmmla r10,lr,r0,r11\nsmmla r11,r12,r0,r11\n"
#define TARN_INT_DSP_TWO_NEAR                                                                             \
    TARN_INT_DSP_FIRST TARN_INT_DSP_SHARED("32", "r6", "r7", "r4", "r5", "r3")                            \
    TARN_INT_DSP_SHARED("64", "r8", "r9", "r6", "r7", "r12") TARN_INT_DSP_SECOND("96", "r8", "r9") TARN_INT_DSP_FORM_OF_TWO
#define TARN_INT_DSP_TWO_APART                                                                            \
    TARN_INT_DSP_FIRST TARN_INT_DSP_COLUMN("32", "r6", "r7") TARN_INT_DSP_SHARED("64", "r8", "r9", "r4", "r5", "r3") \
    TARN_INT_DSP_SECOND("96", "r6", "r7") TARN_INT_DSP_SECOND("128", "r8", "r9") TARN_INT_DSP_FORM_OF_TWO
/* Writes their codes; whether there are no more of them. r3: what sums begin with. */
#define TARN_INT_DSP_TWO_CODES(step)                                                                      \
    "ldrd r12,lr,[sp,#4]\nasr r10,r10,r12\nssat r10,#8,r10\nasr r11,r11,r12\nssat r11,#8,r11\n" \
    "strb r10,[r2]\nstrb r11,[r2,lr]\nadd r2,r2,lr,lsl #1\nadds r1,#" step "\nldrd r10,r3,[sp,#16]\ncmp r2,r10\n"
/* Pairs of pixels whose columns have the step `twice`, up to the first in a zone; the other pixels by the loop at `one`. */
#define TARN_INT_DSP_TWOS(two, twice, once, one)                                                          \
    "str r3,[sp,#20]\nmov r0,r12\n"                                                                    \
    "7:\n" two "ldr r3,[sp]\ntst r10,r3\nit ne\ntstne r11,r3\nbeq 8f\n" TARN_INT_DSP_TWO_CODES(twice) "bne 7b\n" \
    "ldr r10,[sp,#12]\ncmp r2,r10\nbeq.w 6b\n"                                                      \
    "8:\nldr r3,[sp,#20]\nmov r12,r0\nmovs r0,#" once "\nb.w " one "\n"
/* Without zones, and of stride 2. Less code looks for zones nevertheless, and has pairs of stride 1 only. */
#if TARN_LESS_CODE
#define TARN_INT_DSP_PLAIN_TWOS ""
#define TARN_INT_DSP_TWOS_APART ""
#define TARN_INT_DSP_WAYS ",(10f-20b)/2,(10f-20b)/2\n"
#else
#define TARN_INT_DSP_PLAIN_TWOS                                                                           \
    "17:\nstr r3,[sp,#20]\nmov r0,r12\n7:\n" TARN_INT_DSP_TWO_NEAR TARN_INT_DSP_TWO_CODES("64") "bne 7b\n" \
    "ldr r10,[sp,#12]\ncmp r2,r10\nbeq 6f\nmov r12,r0\nmovs r0,#32\n"
#define TARN_INT_DSP_TWOS_APART "11:\n" TARN_INT_DSP_TWOS(TARN_INT_DSP_TWO_APART, "128", "64", "1b")
#define TARN_INT_DSP_WAYS ",(17f-20b)/2,(10f-20b)/2,(11f-20b)/2,(11f-20b)/2\n"
#endif

/* On the stack: mask, post, pitch, y_end, y_pairs, begin, p, exceptions, channel_end, pre, c, q, w, x_back, y_back, y_last, way. The way:
 * 0 for pixels one by one, 2 and 4 for those before y_pairs two at a time, of stride 1 and 2; 1 more where there are zones, which is a mask
 * of other than all bits. */
TARN_NAKED TARN_API void tarn_int_dsp_line3(const tarn_int_dsp_line *s TARN_UNUSED, const int32_t *w TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\nsub sp,#68\nmov r12,sp\n"
            "ldm r0!,{r2-r11}\nstm r12,{r2-r11}\nstr r1,[sp,#48]\nmovs r1,#0\ncmn r2,#1\nit ne\nmovne r1,#1\nmov r12,r6\n"
            "mov r11,r1\nldm r0,{r0,r1,r2,r5,r6,r7,r8}\ncmp r2,r12\nit ne\naddne r11,r11,r0,lsr #4\nstr r11,[sp,#64]\n"
            "str r5,[sp,#44]\nstrd r6,r7,[sp,#52]\nstr r8,[sp,#60]\n"
            "5:\nldrd r5,r11,[sp,#44]\nldm r5!,{r3,r12,lr}\nldm r11!,{r4,r6,r8}\nstrd r5,r11,[sp,#44]\nstr lr,[sp,#40]\n"
            "sxtb16 r5,r4,ror #8\nsxtb16 r4,r4\nsxtb16 r7,r6,ror #8\nsxtb16 r6,r6\n"
            "sxtb16 r9,r8,ror #8\nsxtb16 r8,r8\nldr r10,[sp,#64]\ntbh [pc,r10,lsl #1]\n"
            "20:\n.short (2f-20b)/2,(1f-20b)/2" TARN_INT_DSP_WAYS TARN_INT_DSP_PLAIN_TWOS
            "2:\n" TARN_INT_DSP_POINT
            "ldrd r11,lr,[sp,#4]\nasr r10,r10,r11\nssat r10,#8,r10\nstrb r10,[r2]\n"
            "ldr r11,[sp,#12]\nadd r2,lr\ncmp r2,r11\nbne 2b\n"
            "6:\nldrd r10,r11,[sp,#52]\nsubs r1,r1,r10\nsubs r2,r2,r11\nldrd r10,r11,[sp,#12]\nadd r10,#1\nadd r11,#1\n"
            "strd r10,r11,[sp,#12]\nldr r3,[sp,#60]\ncmp r10,r3\nbne.w 5b\nadd sp,#68\npop {r4-r11,pc}\n"
            "1:\n" TARN_INT_DSP_POINT
            "ldr r11,[sp]\ntst r10,r11\nbeq 3f\n"
            "ldr r11,[sp,#4]\nasr r10,r10,r11\nssat r10,#8,r10\n"
            "4:\nstrb r10,[r2]\nldrd r10,r11,[sp,#8]\nadd r2,r10\ncmp r2,r11\nbne 1b\nb 6b\n"
            "10:\n" TARN_INT_DSP_TWOS(TARN_INT_DSP_TWO_NEAR, "64", "32", "1b") TARN_INT_DSP_TWOS_APART
            "3:\npush {r0-r3,r12,lr}\nsub sp,#8\nstrd r10,r12,[sp]\nldr r11,[sp,#68]\nasr r3,lr,r11\n"
            "ldrd r0,r1,[sp,#56]\nldr r2,[sp,#64]\nldr r11,[sp,#92]\nsub r2,r11\nldr r11,[sp,#44]\nadd r2,r11\n"
            "bl %c0\nmov r10,r0\nadd sp,#8\npop {r0-r3,r12,lr}\nb.w 4b"
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
