/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp_part.h"

#if TARN_INT_DSP_ASM

/* A pixel, whose codes are `step` bytes before what comes next. */
#define TARN_INT_DSP_PART_PIXEL(a, b, step)                                                               \
    "ldrd r9,r10,[r0],#" step "\n\t"                                                                      \
    "smlad " a ",r6,r9," a "\n\tsmlad " a ",r7,r10," a "\n\t"                                             \
    "smlad " b ",r8,r9," b "\n\tsmlad " b ",r11,r10," b "\n\t"
/* `times` four elements. */
#define TARN_INT_DSP_PART_TIMES(times, pixels) ".rept " times "\n\t" TARN_INT_DSP_PART_WEIGHTS pixels ".endr\n\t"
#define TARN_INT_DSP_PART_1 TARN_INT_DSP_PART_PIXEL("r2", "r5", "24")
#define TARN_INT_DSP_PART_2 TARN_INT_DSP_PART_PIXEL("r2", "r5", "8") TARN_INT_DSP_PART_PIXEL("r3", "r12", "16")
#define TARN_INT_DSP_PART_3                                                                               \
    TARN_INT_DSP_PART_PIXEL("r2", "r5", "8") TARN_INT_DSP_PART_PIXEL("r3", "r12", "8") TARN_INT_DSP_PART_PIXEL("r4", "lr", "8")
/* The sums of a pair, which r6 points to; r0: x. */
#define TARN_INT_DSP_PART_BEGIN "ldr r0,[sp]\n\tldm r6,{r2,r3,r4,r5,r12,lr}\n"
/* On to the next elements, unless these were the last. */
#define TARN_INT_DSP_PART_NEXT(label) "ldr r6,[sp,#4]\n\tcmp r0,r6\n\tbne " label "\n\t"
/* On to the next pair. */
#define TARN_INT_DSP_PART_END(label)                                                                      \
    "ldr r6,[sp,#8]\n\tldrd r7,r8,[sp,#12]\n\tstm r6!,{r2,r3,r4,r5,r12,lr}\n\tadd r1,r8\n\tstr r6,[sp,#8]\n\t" \
    "cmp r6,r7\n\tbne " label "\n\tadd sp,#28\n\tpop {r4-r11,pc}\n"

/* On the stack: x, its end, the sums, their end, skip, pixels. Three pixels take 32 elements at a time where that leaves none. */
TARN_NAKED TARN_API void tarn_int_dsp_part(const tarn_int_dsp_part_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\n\tsub sp,#28\n\tldm r0,{r2-r7}\n\tstm sp,{r2-r7}\n\t"
            "mov r6,r4\n\tcmp r7,#2\n\tblt.w 7f\n\tbeq.w 5f\n\tsubs r3,r2\n\ttst r3,#48\n\tbne.w 3f\n"
            "1:\n\t" TARN_INT_DSP_PART_BEGIN
            "2:\n\t" TARN_INT_DSP_PART_TIMES("8", TARN_INT_DSP_PART_3) TARN_INT_DSP_PART_NEXT("2b") TARN_INT_DSP_PART_END("1b")
            "3:\n\t" TARN_INT_DSP_PART_BEGIN
            "4:\n\t" TARN_INT_DSP_PART_TIMES("2", TARN_INT_DSP_PART_3) TARN_INT_DSP_PART_NEXT("4b") TARN_INT_DSP_PART_END("3b")
            "5:\n\t" TARN_INT_DSP_PART_BEGIN
            "6:\n\t" TARN_INT_DSP_PART_TIMES("2", TARN_INT_DSP_PART_2) TARN_INT_DSP_PART_NEXT("6b") TARN_INT_DSP_PART_END("5b")
            "7:\n\t" TARN_INT_DSP_PART_BEGIN
            "8:\n\t" TARN_INT_DSP_PART_TIMES("2", TARN_INT_DSP_PART_1) TARN_INT_DSP_PART_NEXT("8b") TARN_INT_DSP_PART_END("7b"));
}

/* r3 to r5: the codes of the pixels; r6: their end for the first. */
TARN_NAKED TARN_API void tarn_int_dsp_widen_three(int16_t *d TARN_UNUSED, const int8_t **from TARN_UNUSED, int32_t n TARN_UNUSED)
{
    __asm__("push {r4-r8,lr}\n\tldm r1,{r3,r4,r5}\n\tadds r6,r3,r2\n"
            "1:\n\tldr r7,[r3],#4\n\tsxtb16 r8,r7,ror #8\n\tsxtb16 r7,r7\n\tstrd r7,r8,[r0],#8\n\t"
            "ldr r7,[r4],#4\n\tsxtb16 r8,r7,ror #8\n\tsxtb16 r7,r7\n\tstrd r7,r8,[r0],#8\n\t"
            "ldr r7,[r5],#4\n\tsxtb16 r8,r7,ror #8\n\tsxtb16 r7,r7\n\tstrd r7,r8,[r0],#8\n\t"
            "cmp r3,r6\n\tbne 1b\n\tstm r1,{r3,r4,r5}\n\tpop {r4-r8,pc}");
}

#else

TARN_API void tarn_int_dsp_part(const tarn_int_dsp_part_state *s, const int8_t *w)
{
    const int8_t *w_at = w;
    int32_t *sums;
    for (sums = s->sums; sums != s->sums_end; sums += 6) {
        const int16_t *x = s->x;
        do {
            int32_t i;
            for (i = 0; i < s->pixels; ++i) {
                const int16_t *four = x + ((ptrdiff_t)4 * i);
                int32_t k;
                for (k = 0; k < 4; ++k) {
                    int32_t first;
                    int32_t second;
                    tarn_int_dsp_part_weights(w_at, k, &first, &second);
                    sums[i] += first * four[k];
                    sums[3 + i] += second * four[k];
                }
            }
            w_at += 8;
            x += 12;
        } while (x != s->end);
        w_at += s->skip;
    }
}

TARN_API void tarn_int_dsp_widen_three(int16_t *d, const int8_t **from, int32_t n)
{
    int16_t *d_at = d;
    int32_t k;
    for (k = 0; k < n; k += 4) {
        int32_t i;
        for (i = 0; i < 3; ++i) {
            const int8_t *x = from[i];
            d_at[0] = x[0];
            d_at[1] = x[2];
            d_at[2] = x[1];
            d_at[3] = x[3];
            d_at += 4;
            from[i] = x + 4;
        }
    }
}

#endif
