/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_global_average_s8.h"
#include "tarn_int_codes_s8.h"
#include "tarn_int_dsp_sums.h"
#include "tarn_int_mve_sums.h"

#if TARN_INT_MVE_ASM && (TARN_INT_LOWEST_S8 == -128)
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

/* The sums of four channels. */
static void int_global_average_four_s8(const tarn_int_global_average_s8_params *p, const tarn_int_code_s8 *x, int32_t *sums)
{
    sums[0] = 0;
    sums[1] = 0;
    sums[2] = 0;
    sums[3] = 0;
#if TARN_INT_DSP_ASM && !TARN_INT_MVE_ASM && (TARN_INT_LOWEST_S8 == -128)
    {
        /* Two sums to a word, as many pixels at a time as 16 bits hold. */
        const tarn_int_code_s8 *x_at = x;
        int32_t left = p->pixels;
        while (left > 0) {
            int32_t taps = (left < TARN_INT_DSP_SUMS_MOST) ? left : TARN_INT_DSP_SUMS_MOST;
            uint32_t even = 0;
            uint32_t odd = 0;
            left -= taps;
            for (; taps > 0; --taps) {
                const uint32_t codes = tarn_int_dsp_codes(x_at);
                TARN_INT_DSP_ADD(codes, even, odd);
                x_at += p->x_pitch;
            }
            tarn_int_dsp_apart(even, odd, sums);
        }
    }
#else
    tarn_int_add_four_s8(sums, x, p->pixels, p->x_pitch);
#endif
}
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
#else
            for (; i < (count - 3); i += 4) {
                int_global_average_four_s8(p, x_at + c + i, sums + i);
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
