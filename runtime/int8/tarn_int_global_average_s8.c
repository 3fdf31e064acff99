/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_global_average_s8.h"
#include "tarn_int_codes_s8.h"
#include "tarn_int_dsp.h"
#include "tarn_int_mve_sums.h"

#if TARN_INT_MVE_ASM && (TARN_INT_LOWEST_S8 == -128) && !TARN_LESS_CODE
#define INT_GLOBAL_AVERAGE_MVE_S8 1

/* The sums of `count` channels, as many pixels at a time as 16 bits hold. */
static void int_global_average_sums_s8(const tarn_int_global_average_s8_params *p, const tarn_int_code_s8 *x, int32_t count,
                                       int32_t *sums)
{
    int32_t part[TARN_INT_RUN_S8];
    const tarn_int_code_s8 *x_at = x;
    int32_t left = p->pixels;
    tarn_int_mve_window w;
    int32_t i;
    w.rows = &x_at;
    w.count = 1;
    w.offset = 0;
    w.pitch = p->x_pitch;
    w.begin = 0;
    w.channels = count;
    w.sums = sums;
    for (;;) {
        w.taps = (left < TARN_INT_MVE_SUMS_MOST) ? left : TARN_INT_MVE_SUMS_MOST;
        tarn_int_mve_window_sums(&w);
        for (i = 0; (w.sums == part) && (i < count); ++i) {
            sums[i] += part[i];
        }
        x_at += (ptrdiff_t)w.taps * p->x_pitch;
        left -= w.taps;
        if (left <= 0) {
            return;
        }
        w.sums = part;
    }
}

#else
#define INT_GLOBAL_AVERAGE_MVE_S8 0
#endif

#if TARN_INT_DSP_ASM && !TARN_INT_MVE_ASM && (TARN_INT_LOWEST_S8 == -128)
#define INT_GLOBAL_AVERAGE_DSP_S8 1

/* The sums of four channels, two to a word, 255 pixels at a time: what 16 bits hold. `pixels` is 1 at least. */
TARN_NAKED static void int_global_average_four_s8(int32_t *sums TARN_UNUSED, const int8_t *x TARN_UNUSED,
                                                  int32_t pixels TARN_UNUSED, int32_t pitch TARN_UNUSED)
{
    __asm__("push {r4-r9,lr}\n\tmovs r4,#0\n\tmovs r5,#0\n\tmovs r6,#0\n\tmovs r7,#0\n"
            "1:\n\tmov r8,#0\n\tmov r9,#0\n\tmov lr,#255\n\tcmp r2,lr\n\tit lt\n\tmovlt lr,r2\n\tsub r2,lr\n"
            "2:\n\tldr r12,[r1]\n\tadd r1,r3\n\tsxtab16 r8,r8,r12\n\tsxtab16 r9,r9,r12,ror #8\n\tsubs lr,#1\n\tbne 2b\n\t"
            "sxtah r4,r4,r8\n\tsxtah r5,r5,r9\n\tadd r6,r6,r8,asr #16\n\tadd r7,r7,r9,asr #16\n\t"
            "cmp r2,#0\n\tbgt 1b\n\tstm r0,{r4-r7}\n\tpop {r4-r9,pc}");
}

#else
#define INT_GLOBAL_AVERAGE_DSP_S8 0
#endif

TARN_SMALL TARN_API void tarn_int_global_average_s8(const tarn_int_global_average_s8_params *p, const tarn_int_code_s8 *x, const int32_t *q,
                                         const int32_t *exceptions, tarn_int_code_s8 *y)
{
    const tarn_int_code_s8 *x_at = x;
    tarn_int_code_s8 *y_at = y;
    int32_t image;
    int32_t sums[TARN_INT_RUN_S8];
    for (image = 0; image < p->images; ++image) {
        int32_t c;
        for (c = 0; c < p->channels; c += TARN_INT_RUN_S8) {
            const int32_t left = p->channels - c;
            const int32_t count = (left < TARN_INT_RUN_S8) ? left : TARN_INT_RUN_S8;
            int32_t i = 0;
#if INT_GLOBAL_AVERAGE_MVE_S8
            int_global_average_sums_s8(p, x_at + c, count, sums);
            i = count;
#endif
#if INT_GLOBAL_AVERAGE_DSP_S8 || !TARN_LESS_CODE
            for (; i < (count - 3); i += 4) {
#if INT_GLOBAL_AVERAGE_DSP_S8
                int_global_average_four_s8(sums + i, x_at + c + i, p->pixels, p->x_pitch);
#else
                int32_t four[4] = {0, 0, 0, 0};
                tarn_int_add_four_s8(four, x_at + c + i, p->pixels, p->x_pitch);
                sums[i] = four[0];
                sums[i + 1] = four[1];
                sums[i + 2] = four[2];
                sums[i + 3] = four[3];
#endif
            }
#endif
            for (; i < count; ++i) {
                sums[i] = tarn_int_add_one_s8(0, x_at + c + i, p->pixels, p->x_pitch);
            }
            tarn_int_codes_s8(&p->requant, q, exceptions, 0, sums, count, y_at + c);
        }
        x_at += (ptrdiff_t)p->pixels * p->x_pitch;
        y_at += p->y_pitch;
    }
}
